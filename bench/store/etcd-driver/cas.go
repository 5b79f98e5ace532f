package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

type casResult struct {
	Writes    int     `json:"writes"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"perSecond"`
	P50us     float64 `json:"p50us"`
	P99us     float64 `json:"p99us"`
	MaxUs     float64 `json:"maxus"`
	Conflicts int     `json:"conflicts"`
	Errors    int     `json:"errors"`
	// FirstError is the text of one of the errors: enough to see what went wrong.
	FirstError       string  `json:"firstError,omitempty"`
	DriverCPUSeconds float64 `json:"driverCpuSeconds"`
	Oracle           string  `json:"oracle"`
}

// casRun is one run of compare-and-set writes. state[i] belongs to the worker that owns key i
// until all workers have ended.
type casRun struct {
	space    keyspace
	state    []kept
	deadline time.Time    // zero: no limit in time
	budget   atomic.Int64 // writes not yet begun
}

// casWorker writes one at a time to the keys it owns: first, first+stride, ...
type casWorker struct {
	run           *casRun
	client        *clientv3.Client
	first, stride int
	latencies     []time.Duration
	conflicts     int
	errors        []error
	violations    []string
}

func casMode(ctx context.Context, args []string) (any, error) {
	var inFlight, writes int
	var seconds float64
	var withPreload bool
	settings, err := parse("cas", args, func(flags *flag.FlagSet, _ *common) {
		flags.IntVar(&inFlight, "in-flight", 1, "workers, each with one write on the way")
		flags.Float64Var(&seconds, "seconds", 0, "end after this time (this, --writes, or both)")
		flags.IntVar(&writes, "writes", 0, "end after so many writes")
		flags.BoolVar(&withPreload, "preload", false, "put every key first; without it they must be there")
	}, func(settings *common) string {
		switch {
		case seconds <= 0 && writes <= 0:
			return "--seconds or --writes must be above 0"
		case inFlight < 1 || inFlight > settings.space.keys:
			return fmt.Sprintf("--in-flight is %d; between 1 and the number of keys (%d) is needed", inFlight, settings.space.keys)
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, settings.timeout)
	defer cancel()
	clients, err := connect(ctx, settings)
	if err != nil {
		return nil, err
	}
	defer closeAll(clients)
	run := &casRun{space: settings.space}
	if run.state, err = firstState(ctx, clients, settings.space, withPreload); err != nil {
		return nil, err
	}
	run.budget.Store(int64(writes))
	if writes <= 0 {
		run.budget.Store(1 << 62)
	}
	beginPhase("measure")
	cpuBefore, begin := ownCPUSeconds(), time.Now()
	if seconds > 0 {
		run.deadline = begin.Add(time.Duration(seconds * float64(time.Second)))
	}
	workers := run.work(ctx, clients, inFlight)
	result := summarize(workers, time.Since(begin))
	result.DriverCPUSeconds = ownCPUSeconds() - cpuBefore
	beginPhase("verify")
	if result.Oracle = run.oracle(ctx, clients[0], workers); result.Oracle != "ok" {
		return result, fmt.Errorf("oracle %s", result.Oracle)
	}
	return result, ctx.Err()
}

func firstState(ctx context.Context, clients []*clientv3.Client, space keyspace, withPreload bool) ([]kept, error) {
	if withPreload {
		beginPhase("preload")
		return preload(ctx, clients, space)
	}
	beginPhase("read")
	state, err := space.readAll(ctx, clients[0])
	if err != nil {
		return nil, err
	}
	for i, each := range state {
		if each.modRevision == 0 {
			return nil, fmt.Errorf("key %s is missing: use --preload", space.key(i))
		}
	}
	return state, nil
}

func (run *casRun) work(ctx context.Context, clients []*clientv3.Client, inFlight int) []*casWorker {
	workers := make([]*casWorker, inFlight)
	var running sync.WaitGroup
	for i := range workers {
		worker := &casWorker{run: run, client: clients[i%len(clients)], first: i, stride: inFlight}
		workers[i] = worker
		running.Go(func() { worker.loop(ctx) })
	}
	running.Wait()
	return workers
}

func (worker *casWorker) loop(ctx context.Context) {
	run := worker.run
	owned := (run.space.keys - worker.first + worker.stride - 1) / worker.stride
	random := rand.New(rand.NewPCG(uint64(worker.first), 7))
	for ctx.Err() == nil && run.budget.Add(-1) >= 0 {
		if !run.deadline.IsZero() && !time.Now().Before(run.deadline) {
			return
		}
		if !worker.write(ctx, worker.first+random.IntN(owned)*worker.stride) {
			return
		}
	}
}

// write sets one key; false: its state can no longer be known, so this worker ends.
func (worker *casWorker) write(ctx context.Context, i int) bool {
	space, known := worker.run.space, &worker.run.state[i]
	key, value := space.key(i), space.value(i, known.sequence+1)
	limited, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	begin := time.Now()
	answer, err := worker.client.Txn(limited).
		If(clientv3.Compare(clientv3.ModRevision(key), "=", known.modRevision)).
		Then(clientv3.OpPut(key, value)).
		Commit()
	taken := time.Since(begin)
	switch {
	case err != nil:
		worker.errors = append(worker.errors, err)
		return worker.learn(ctx, i)
	case !answer.Succeeded:
		// Nobody else writes this key and its state is known: etcd must not refuse.
		worker.conflicts++
		worker.violations = append(worker.violations, fmt.Sprintf("%s was refused at its own revision %d", key, known.modRevision))
		return worker.learn(ctx, i)
	}
	worker.latencies = append(worker.latencies, taken)
	known.modRevision = answer.Header.Revision
	known.sequence++
	return true
}

// learn reads a key whose last write had no clear answer: it may have happened or not, and nothing else.
func (worker *casWorker) learn(ctx context.Context, i int) bool {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	space, known := worker.run.space, &worker.run.state[i]
	answer, err := worker.client.Get(limited, space.key(i))
	if err != nil {
		worker.violations = append(worker.violations, fmt.Sprintf("the state of %s cannot be read after an error: %v", space.key(i), err))
		return false
	}
	found := kept{}
	if len(answer.Kvs) == 1 {
		found.modRevision = answer.Kvs[0].ModRevision
		if sequence, ok := space.sequenceOf(i, string(answer.Kvs[0].Value)); ok {
			found.sequence = sequence
		}
	}
	written := found.modRevision > known.modRevision && found.sequence == known.sequence+1
	if found != *known && !written {
		worker.violations = append(worker.violations, fmt.Sprintf("%s is at %v; acknowledged was %v", space.key(i), found, *known))
		return false
	}
	*known = found
	return true
}

func summarize(workers []*casWorker, taken time.Duration) casResult {
	var latencies []time.Duration
	result := casResult{Seconds: taken.Seconds()}
	for _, worker := range workers {
		latencies = append(latencies, worker.latencies...)
		result.Conflicts += worker.conflicts
		result.Errors += len(worker.errors)
		if result.FirstError == "" && len(worker.errors) > 0 {
			result.FirstError = worker.errors[0].Error()
		}
	}
	result.Writes = len(latencies)
	result.PerSecond = float64(result.Writes) / result.Seconds
	if len(latencies) > 0 {
		slices.Sort(latencies)
		at := func(share float64) float64 {
			return float64(latencies[int(share*float64(len(latencies)-1))].Nanoseconds()) / 1000
		}
		result.P50us, result.P99us, result.MaxUs = at(0.5), at(0.99), at(1)
	}
	return result
}

// oracle compares what etcd holds with what it acknowledged: every key, its revision and its value.
func (run *casRun) oracle(ctx context.Context, client *clientv3.Client, workers []*casWorker) string {
	for _, worker := range workers {
		if len(worker.violations) > 0 {
			return "failed: " + worker.violations[0]
		}
	}
	found, err := run.space.readAll(context.WithoutCancel(ctx), client)
	if err != nil {
		return "failed: " + err.Error()
	}
	for i, acknowledged := range run.state {
		if found[i] != acknowledged {
			return fmt.Sprintf("failed: %s is at %v; acknowledged was %v", run.space.key(i), found[i], acknowledged)
		}
	}
	return "ok"
}
