package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
)

type writeResult struct {
	figures
	Conflicts int `json:"conflicts"`
}

func createMode(ctx context.Context, args []string) (any, error) {
	var bounds limits
	settings, err := parse("create", args, encodable(bounds.register), nil)
	if err != nil {
		return nil, err
	}
	t, err := connect(settings)
	if err != nil {
		return nil, err
	}
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	state := make([]kept, t.objects)
	var next atomic.Int64
	t.warm(ctx)
	watch := startMeasuring()
	workers := work(ctx, t, bounds, func(ctx context.Context, each *worker) error {
		at := int(next.Add(1)) - 1
		if at >= t.objects {
			return errDone
		}
		i := t.first + at
		answer, err := t.sendIn(ctx, t.encoding, http.MethodPost, t.collection(), t.kind.body(i, 1, ""))
		if err != nil {
			return err
		}
		state[at] = each.acknowledge(t.encoding, answer, 1)
		return nil
	})
	result := writeResult{figures: watch.stop(workers)}
	if result.Oracle = violationOf(workers); result.Oracle == "ok" {
		result.Oracle = t.compare(ctx, state, (*seen).markOf)
	}
	return result, errors.Join(oracleError(result.Oracle), failed(result.figures), ctx.Err())
}

// acknowledge notes what an answer to a write promises.
func (each *worker) acknowledge(wire encoding, answer []byte, sequence uint32) kept {
	each.bytes += int64(len(answer))
	version := wire.versionOf(answer)
	if version == "" {
		each.violations = append(each.violations, fmt.Sprintf("the answer to a write has no resourceVersion: %.200s", answer))
	}
	return kept{version, sequence}
}

// failed makes a run without one success an error.
func failed(result figures) error {
	if result.Requests == 0 {
		return fmt.Errorf("no request succeeded; the first error: %s", result.FirstError)
	}
	return nil
}

func updateMode(ctx context.Context, args []string) (any, error) {
	return replaceMode(ctx, args, replacing{
		name: "update", path: "", markIn: (*seen).markOf,
		body: func(k kind) func(int, uint32, string) []byte { return k.body },
	})
}

func statusMode(ctx context.Context, args []string) (any, error) {
	return replaceMode(ctx, args, replacing{
		name: "status", path: "/status", markIn: (*seen).statusMarkOf,
		body: func(k kind) func(int, uint32, string) []byte { return k.status },
	})
}

// replacing is what differs between writing objects and writing their status.
type replacing struct {
	name, path string
	markIn     func(*seen) string
	body       func(kind) func(i int, sequence uint32, version string) []byte
}

func replaceMode(ctx context.Context, args []string, what replacing) (any, error) {
	var bounds limits
	settings, err := parse(what.name, args, encodable(bounds.register), func(c *common) string {
		if what.body(kinds[c.kindName]) == nil {
			return fmt.Sprintf("--kind %s has no %s", c.kindName, what.name)
		}
		if c.inFlight > c.objects {
			return fmt.Sprintf("--in-flight is %d; at most the number of objects (%d)", c.inFlight, c.objects)
		}
		return bounds.check(c)
	})
	if err != nil {
		return nil, err
	}
	t, err := connect(settings)
	if err != nil {
		return nil, err
	}
	beginPhase("read")
	state, err := t.readState(ctx, what.markIn)
	if err == nil {
		err = present(t, state)
	}
	if err != nil {
		return nil, err
	}
	body := what.body(t.kind)
	var conflicts atomic.Int64
	t.warm(ctx)
	watch := startMeasuring()
	workers := work(ctx, t, bounds, func(ctx context.Context, each *worker) error {
		owned := (t.objects - each.number + each.stride - 1) / each.stride
		at := each.number + rand.IntN(owned)*each.stride
		i, known := t.first+at, state[at]
		answer, err := t.sendIn(ctx, t.encoding, http.MethodPut, t.object(i)+what.path, body(i, known.sequence+1, known.version))
		if err == nil {
			state[at] = each.acknowledge(t.encoding, answer, known.sequence+1)
			return nil
		}
		var refused *statusError
		if errors.As(err, &refused) && refused.code == http.StatusConflict {
			// Nobody else writes this object and its state is known: the server must not refuse.
			conflicts.Add(1)
			each.violations = append(each.violations, fmt.Sprintf("%s was refused at its own version %s", objectName(i), known.version))
		} else if !errors.As(err, &refused) {
			// No answer: it may have happened or not, so this worker knows its objects no longer.
			state[at] = kept{}
			each.errors = append(each.errors, err)
			return errDone
		}
		return err
	})
	result := writeResult{figures: watch.stop(workers), Conflicts: int(conflicts.Load())}
	if result.Oracle = violationOf(workers); result.Oracle == "ok" {
		result.Oracle = t.compare(ctx, state, what.markIn)
	}
	return result, errors.Join(oracleError(result.Oracle), failed(result.figures), ctx.Err())
}
