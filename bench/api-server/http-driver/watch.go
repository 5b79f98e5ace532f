package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type watchResult struct {
	figures
	Watchers   int `json:"watchers"`
	Events     int `json:"events"`
	Deliveries int `json:"deliveries"`
	// Cuts is how often a server ended a watch that did not keep up; the watcher then went on where it was.
	Cuts                int     `json:"cuts"`
	DeliveriesPerSecond float64 `json:"deliveriesPerSecond"`
	// From the moment a write is sent to the moment a watcher has read its event.
	DeliveryP50us float64 `json:"deliveryP50us"`
	DeliveryP99us float64 `json:"deliveryP99us"`
	DeliveryMaxUs float64 `json:"deliveryMaxus"`
}

// watchersPerConnection: servers allow 100 streams on a connection.
const watchersPerConnection = 50

// sampled: every so many watchers keep the latency of their deliveries.
const sampled = 16

// fanOut is one run: writes, and watchers that must hear every one of them in order.
type fanOut struct {
	t      *target
	events int
	// sentAt[i] is when write i was sent, in nanoseconds after begin.
	begin  time.Time
	sentAt []atomic.Int64
	// heard[k] counts the watchers that have their k-th event; reached[k] is closed when all have.
	heard   []atomic.Int32
	reached []chan struct{}
	// window: write k waits until every watcher has heard event k-window.
	window, watchers int
	cuts             atomic.Int64
}

func newFanOut(t *target, watchers, events, window int) *fanOut {
	run := &fanOut{
		t: t, events: events, begin: time.Now(), sentAt: make([]atomic.Int64, events),
		heard: make([]atomic.Int32, events), reached: make([]chan struct{}, events),
		window: window, watchers: watchers,
	}
	for i := range run.reached {
		run.reached[i] = make(chan struct{})
	}
	return run
}

func watchMode(ctx context.Context, args []string) (any, error) {
	var watchers, events, window int
	settings, err := parse("watch", args, func(flags *flag.FlagSet, _ *common) {
		flags.IntVar(&watchers, "watchers", 1000, "watchers on the namespace")
		flags.IntVar(&events, "events", 500, "writes that every watcher must see")
		flags.IntVar(&window, "window", 16, "writes ahead of the slowest watcher; too many, and servers cut watchers")
	}, func(c *common) string {
		if watchers < 1 || events < 1 || window < 1 {
			return "--watchers, --events and --window must be at least 1"
		}
		if c.kindName != "configmaps" && c.kindName != "widgets" {
			return "watch writes configmaps or widgets only"
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	writer, err := connect(settings)
	if err != nil {
		return nil, err
	}
	settings.connections = (watchers + watchersPerConnection - 1) / watchersPerConnection
	readers, err := connect(settings)
	if err != nil {
		return nil, err
	}
	if err := writer.prepare(ctx); err != nil {
		return nil, err
	}
	start, err := writer.currentVersion(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancelTimeout := context.WithTimeout(ctx, settings.timeout)
	defer cancelTimeout()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	beginPhase("open")
	run := newFanOut(readers, watchers, events, window)
	followers := make([]*follower, watchers)
	var opened, finished sync.WaitGroup
	opened.Add(watchers)
	for i := range followers {
		followers[i] = &follower{run: run, version: start, keepsLatency: i%sampled == 0}
		finished.Go(func() {
			if err := followers[i].follow(ctx, sync.OnceFunc(opened.Done)); err != nil {
				cancel(fmt.Errorf("watcher %d: %w", i, err))
			}
		})
	}
	opened.Wait()
	writer.warm(ctx)
	watch := startMeasuring()
	written := make([]uint64, events)
	workers := run.write(ctx, writer, written)
	if failure := firstError(workers); failure != nil {
		cancel(failure)
	}
	finished.Wait()
	result := watchResult{figures: watch.stop(workers), Watchers: watchers, Events: events, Cuts: int(run.cuts.Load())}
	if cause := context.Cause(ctx); cause != nil {
		result.Oracle = "failed: " + cause.Error()
		return result, oracleError(result.Oracle)
	}
	result.Deliveries = watchers * events
	result.DeliveriesPerSecond = float64(result.Deliveries) / result.Seconds
	var latencies []time.Duration
	for _, each := range followers {
		latencies = append(latencies, each.latencies...)
	}
	result.DeliveryP50us, result.DeliveryP99us, result.DeliveryMaxUs = percentiles(latencies)
	result.Oracle = check(followers, written)
	return result, oracleError(result.Oracle)
}

func firstError(workers []*worker) error {
	for _, each := range workers {
		if len(each.errors) > 0 {
			return each.errors[0]
		}
		if len(each.violations) > 0 {
			return errors.New(each.violations[0])
		}
	}
	return nil
}

// currentVersion is where the watchers begin.
func (t *target) currentVersion(ctx context.Context) (string, error) {
	text, err := t.send(ctx, http.MethodGet, t.collection()+"?limit=1", nil)
	if err != nil {
		return "", err
	}
	var answer page
	if err := json.Unmarshal(text, &answer); err != nil {
		return "", err
	}
	return answer.Metadata.ResourceVersion, nil
}

// write creates the objects; each write is one event.
func (run *fanOut) write(ctx context.Context, t *target, written []uint64) []*worker {
	var next atomic.Int64
	return work(ctx, t, limits{}, func(ctx context.Context, each *worker) error {
		at := int(next.Add(1)) - 1
		if at >= run.events {
			return errDone
		}
		if at >= run.window {
			select {
			case <-run.reached[at-run.window]:
			case <-ctx.Done():
				return errDone
			}
		}
		body := t.kind.body(t.first+at, 1, "")
		run.sentAt[at].Store(int64(time.Since(run.begin)))
		answer, err := t.send(ctx, http.MethodPost, t.collection(), body)
		if err != nil {
			return err
		}
		written[at] = versionNumber(each.acknowledge(jsonEncoding, answer, 1).version)
		return nil
	})
}

// follower is one watcher.
type follower struct {
	run *fanOut
	// version is up to where it has heard everything.
	version      string
	last         uint64
	count        int
	digest       uint64
	keepsLatency bool
	latencies    []time.Duration
}

// follow watches until all events have arrived, and goes on where it was when the server cuts it.
// opened is called when the server has begun to answer.
func (f *follower) follow(ctx context.Context, opened func()) error {
	defer opened()
	for f.count < f.run.events {
		path := f.run.t.collection() + "?watch=1&timeoutSeconds=3600&resourceVersion=" + f.version
		response, err := f.run.t.open(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		opened()
		err = f.read(bufio.NewReaderSize(response.Body, 32<<10))
		response.Body.Close()
		if err != nil {
			return err
		}
		if f.count < f.run.events {
			if context.Cause(ctx) != nil {
				return nil
			}
			f.run.cuts.Add(1)
		}
	}
	return nil
}

// read reads events until all have arrived or the stream ends; a stream that ends is no error.
func (f *follower) read(lines *bufio.Reader) error {
	for f.count < f.run.events {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return nil
		}
		version := textAfter(line, versionOpening)
		number := versionNumber(version)
		if number <= f.last || textAfter(line, `"type":"`) != "ADDED" {
			return fmt.Errorf("after version %d came %.300s", f.last, line)
		}
		f.last, f.version, f.digest = number, version, chain(f.digest, number)
		if int(f.run.heard[f.count].Add(1)) == f.run.watchers {
			close(f.run.reached[f.count])
		}
		f.count++
		if !f.keepsLatency {
			continue
		}
		if i, _, ok := parseMark(textAfter(line, markOpening)); ok && i >= f.run.t.first && i-f.run.t.first < f.run.events {
			sent := time.Duration(f.run.sentAt[i-f.run.t.first].Load())
			f.latencies = append(f.latencies, time.Since(f.run.begin)-sent)
		}
	}
	return nil
}

// chain makes one number of a sequence of versions.
func chain(digest, number uint64) uint64 {
	hash := fnv.New64a()
	var bytes [16]byte
	for i := range 8 {
		bytes[i], bytes[8+i] = byte(digest>>(8*i)), byte(number>>(8*i))
	}
	hash.Write(bytes[:])
	return hash.Sum64()
}

// check is the oracle: every watcher heard exactly the acknowledged writes, in the order of versions.
func check(followers []*follower, written []uint64) string {
	expected := uint64(0)
	for _, number := range slices.Sorted(slices.Values(written)) {
		expected = chain(expected, number)
	}
	for i, each := range followers {
		if each.digest != expected || each.count != len(written) {
			return fmt.Sprintf("failed: watcher %d heard %d events that are not the %d acknowledged writes", i, each.count, len(written))
		}
	}
	return "ok"
}
