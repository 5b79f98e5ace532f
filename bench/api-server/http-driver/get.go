package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
)

func getMode(ctx context.Context, args []string) (any, error) {
	var bounds limits
	settings, err := parse("get", args, encodable(bounds.register), bounds.check)
	if err != nil {
		return nil, err
	}
	t, err := connect(settings)
	if err != nil {
		return nil, err
	}
	beginPhase("read")
	state, err := t.readState(ctx, (*seen).markOf)
	if err == nil {
		err = present(t, state)
	}
	if err != nil {
		return nil, err
	}
	t.warm(ctx)
	watch := startMeasuring()
	workers := work(ctx, t, bounds, func(ctx context.Context, each *worker) error {
		at := rand.IntN(t.objects)
		answer, err := t.sendIn(ctx, t.encoding, http.MethodGet, t.object(t.first+at), nil)
		if err != nil {
			return err
		}
		each.bytes += int64(len(answer))
		if version := t.encoding.versionOf(answer); version != state[at].version {
			each.violations = append(each.violations, fmt.Sprintf("%s is at %q; the list said %q", objectName(t.first+at), version, state[at].version))
		}
		return nil
	})
	result := watch.stop(workers)
	result.Oracle = violationOf(workers)
	return result, errors.Join(oracleError(result.Oracle), failed(result), ctx.Err())
}
