package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

type watchResult struct {
	Watchers         int     `json:"watchers"`
	Events           int     `json:"events"`
	Deliveries       int     `json:"deliveries"`
	Seconds          float64 `json:"seconds"`
	PerSecond        float64 `json:"perSecond"`
	WriteSeconds     float64 `json:"writeSeconds"`
	DriverCPUSeconds float64 `json:"driverCpuSeconds"`
	Oracle           string  `json:"oracle"`
}

func watchMode(ctx context.Context, args []string) (any, error) {
	var watchers, events, inFlight int
	settings, err := parse("watch", args, func(flags *flag.FlagSet, _ *common) {
		flags.IntVar(&watchers, "watchers", 1, "watchers on the prefix, spread over the connections")
		flags.IntVar(&events, "events", 10_000, "puts that every watcher must see")
		flags.IntVar(&inFlight, "in-flight", 64, "puts on the way at once")
	}, func(*common) string {
		if watchers < 1 || events < 1 || inFlight < 1 {
			return "--watchers, --events and --in-flight must be at least 1"
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	settings.connections = min(settings.connections, watchers)
	ctx, cancelTimeout := context.WithTimeout(ctx, settings.timeout)
	defer cancelTimeout()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	clients, err := connect(ctx, settings)
	if err != nil {
		return nil, err
	}
	defer closeAll(clients)
	// The writer has its own connection, as it would beside anybody's watch.
	writers, err := connect(ctx, common{endpoint: settings.endpoint, connections: 1, space: settings.space})
	if err != nil {
		return nil, err
	}
	defer closeAll(writers)
	now, err := writers[0].Get(ctx, settings.space.prefix, clientv3.WithCountOnly())
	if err != nil {
		return nil, err
	}

	beginPhase("open")
	var opened, finished sync.WaitGroup
	opened.Add(watchers)
	for i := range watchers {
		client := clients[i%len(clients)]
		finished.Go(func() {
			err := follow(ctx, client, expectation{settings.space.prefix, now.Header.Revision, events}, opened.Done)
			if err != nil {
				cancel(fmt.Errorf("watcher %d: %w", i, err))
			}
		})
	}
	opened.Wait()
	beginPhase("measure")
	cpuBefore, begin := ownCPUSeconds(), time.Now()
	if err := writeEvents(ctx, writers[0], settings.space, events, inFlight); err != nil {
		cancel(err)
	}
	written := time.Since(begin)
	finished.Wait()
	taken := time.Since(begin)
	beginPhase("verify")
	if end, err := writers[0].Get(ctx, settings.space.prefix, clientv3.WithCountOnly()); err != nil {
		cancel(err)
	} else if end.Header.Revision != now.Header.Revision+int64(events) {
		cancel(fmt.Errorf("%d revisions were made by %d puts: somebody else writes", end.Header.Revision-now.Header.Revision, events))
	}
	result := watchResult{
		Watchers: watchers, Events: events, Deliveries: watchers * events,
		Seconds: taken.Seconds(), PerSecond: float64(watchers*events) / taken.Seconds(), WriteSeconds: written.Seconds(),
		DriverCPUSeconds: ownCPUSeconds() - cpuBefore, Oracle: "ok",
	}
	if cause := context.Cause(ctx); cause != nil {
		result.Deliveries, result.PerSecond, result.Oracle = 0, 0, "failed: "+cause.Error()
		return result, fmt.Errorf("oracle %s", result.Oracle)
	}
	return result, nil
}

// expectation is what a watcher must see: revisions after+1 to after+events, each once, in order.
// This holds because one put makes one revision and nobody else writes.
type expectation struct {
	prefix string
	after  int64
	events int
}

// follow watches until everything expected has arrived. It calls opened exactly once: when etcd
// has confirmed the watch, or when it fails before that.
func follow(ctx context.Context, client *clientv3.Client, expected expectation, opened func()) error {
	opened = sync.OnceFunc(opened)
	defer opened()
	seen := 0
	answers := client.Watch(ctx, expected.prefix, clientv3.WithPrefix(), clientv3.WithRev(expected.after+1), clientv3.WithCreatedNotify())
	for answer := range answers {
		if err := answer.Err(); err != nil {
			return err
		}
		if answer.Created {
			opened()
		}
		for _, event := range answer.Events {
			seen++
			if event.Kv.ModRevision != expected.after+int64(seen) {
				return fmt.Errorf("event %d has revision %d; expected %d", seen, event.Kv.ModRevision, expected.after+int64(seen))
			}
		}
		if seen == expected.events {
			return nil
		}
	}
	return errors.Join(fmt.Errorf("the watch ended after %d of %d events", seen, expected.events), context.Cause(ctx))
}

func writeEvents(ctx context.Context, client *clientv3.Client, space keyspace, events int, inFlight int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range inFlight {
		workers.Go(func() {
			for ctx.Err() == nil {
				event := int(next.Add(1)) - 1
				if event >= events {
					return
				}
				i := event % space.keys
				if _, err := client.Put(ctx, space.key(i), space.value(i, uint32(event/space.keys))); err != nil {
					cancel(fmt.Errorf("put %d: %w", event, err))
					return
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}
