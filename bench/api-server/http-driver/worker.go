package main

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// worker sends one request at a time: a closed loop.
type worker struct {
	// number is the worker's own, from 0; stride is how many there are. A worker that writes owns the
	// objects number, number+stride, ...
	number, stride int
	latencies      []time.Duration
	bytes          int64
	errors         []error
	violations     []string
}

// errDone says that a worker has nothing left to do.
var errDone = errors.New("done")

// maxErrors: a server that answers only errors is not worth waiting for.
const maxErrors = 100

// work runs the workers until the limits are reached. do sends one request, and tells errDone where
// it has none to send.
func work(ctx context.Context, t *target, bounds limits, do func(context.Context, *worker) error) []*worker {
	var budget atomic.Int64
	budget.Store(int64(bounds.requests))
	if bounds.requests <= 0 {
		budget.Store(1 << 62)
	}
	var deadline time.Time
	if bounds.seconds > 0 {
		deadline = time.Now().Add(time.Duration(bounds.seconds * float64(time.Second)))
	}
	workers := make([]*worker, t.inFlight)
	var running sync.WaitGroup
	for i := range workers {
		each := &worker{number: i, stride: t.inFlight}
		workers[i] = each
		running.Go(func() {
			for ctx.Err() == nil && budget.Add(-1) >= 0 {
				begin := time.Now()
				if !deadline.IsZero() && !begin.Before(deadline) {
					return
				}
				switch err := do(ctx, each); {
				case err == nil:
					each.latencies = append(each.latencies, time.Since(begin))
				case errors.Is(err, errDone):
					return
				default:
					each.errors = append(each.errors, err)
					if len(each.errors) >= maxErrors {
						return
					}
				}
			}
		})
	}
	running.Wait()
	return workers
}

func violationOf(workers []*worker) string {
	for _, each := range workers {
		if len(each.violations) > 0 {
			return "failed: " + each.violations[0]
		}
	}
	return "ok"
}

// textAfter is the text between the first occurrence of the opening and the next quote.
func textAfter(text []byte, opening string) string {
	at := bytes.Index(text, []byte(opening))
	if at < 0 {
		return ""
	}
	rest := text[at+len(opening):]
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return ""
	}
	return string(rest[:end])
}

const (
	versionOpening = `"resourceVersion":"`
	markOpening    = `"mark":"`
)
