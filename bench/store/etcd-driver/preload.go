package main

import (
	"context"
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// batchKeys and batchBytes keep a transaction under etcd's limits (128 operations, 1.5 MiB).
const (
	batchKeys  = 128
	batchBytes = 1 << 20
)

// preloadInFlight is how many transactions are on the way at once: enough to share each fsync.
const preloadInFlight = 16

type preloadResult struct {
	Keys      int     `json:"keys"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"perSecond"`
	Oracle    string  `json:"oracle"`
}

func preloadMode(ctx context.Context, args []string) (any, error) {
	settings, err := parse("preload", args, func(*flag.FlagSet, *common) {}, nil)
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
	beginPhase("preload")
	begin := time.Now()
	if _, err := preload(ctx, clients, settings.space); err != nil {
		return nil, err
	}
	seconds := time.Since(begin).Seconds()
	beginPhase("verify")
	counted, err := clients[0].Get(ctx, settings.space.prefix, clientv3.WithPrefix(), clientv3.WithCountOnly())
	if err != nil {
		return nil, err
	}
	result := preloadResult{settings.space.keys, seconds, float64(settings.space.keys) / seconds, "ok"}
	if counted.Count != int64(settings.space.keys) {
		result.Oracle = fmt.Sprintf("failed: etcd counts %d keys of %d", counted.Count, settings.space.keys)
		return result, fmt.Errorf("oracle %s", result.Oracle)
	}
	return result, nil
}

// preload puts every key with sequence 0 and answers their states.
func preload(ctx context.Context, clients []*clientv3.Client, space keyspace) ([]kept, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	state := make([]kept, space.keys)
	size := max(1, min(batchKeys, batchBytes/(space.valueSize+keySize)))
	var next atomic.Int64
	var workers sync.WaitGroup
	for worker := range preloadInFlight {
		client := clients[worker%len(clients)]
		workers.Go(func() {
			for {
				from := int(next.Add(int64(size))) - size
				if from >= space.keys || ctx.Err() != nil {
					return
				}
				to := min(from+size, space.keys)
				puts := make([]clientv3.Op, 0, size)
				for i := from; i < to; i++ {
					puts = append(puts, clientv3.OpPut(space.key(i), space.value(i, 0)))
				}
				answer, err := client.Txn(ctx).Then(puts...).Commit()
				if err != nil {
					cancel(fmt.Errorf("preload of keys %d to %d: %w", from, to-1, err))
					return
				}
				for i := from; i < to; i++ {
					state[i] = kept{answer.Header.Revision, 0}
				}
			}
		})
	}
	workers.Wait()
	return state, context.Cause(ctx)
}

type verifyResult struct {
	Keys    int     `json:"keys"`
	Seconds float64 `json:"seconds"`
	Oracle  string  `json:"oracle"`
}

func verifyMode(ctx context.Context, args []string) (any, error) {
	settings, err := parse("verify", args, func(*flag.FlagSet, *common) {}, nil)
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
	beginPhase("verify")
	begin := time.Now()
	state, err := settings.space.readAll(ctx, clients[0])
	if err != nil {
		return nil, err
	}
	result := verifyResult{settings.space.keys, time.Since(begin).Seconds(), "ok"}
	for i, each := range state {
		if each.modRevision == 0 {
			result.Oracle = fmt.Sprintf("failed: key %s is missing", settings.space.key(i))
			return result, fmt.Errorf("oracle %s", result.Oracle)
		}
	}
	return result, nil
}
