package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// connectMode opens a connection for every request, GETs one of the objects and closes it: what a
// handshake costs is what this costs above the mode get.
func connectMode(ctx context.Context, args []string) (any, error) {
	var bounds limits
	settings, err := parse("connect", args, bounds.register, bounds.check)
	if err != nil {
		return nil, err
	}
	security, err := settings.security()
	if err != nil {
		return nil, err
	}
	t, err := connect(settings)
	if err != nil {
		return nil, err
	}
	watch := startMeasuring()
	workers := work(ctx, t, bounds, func(ctx context.Context, each *worker) error {
		i := t.first + each.number%t.objects
		once := &target{common: t.common, kind: t.kind, clients: []*http.Client{{Transport: transport(settings, security)}}}
		defer once.clients[0].CloseIdleConnections()
		answer, err := once.send(ctx, http.MethodGet, t.object(i), nil)
		if err != nil {
			return err
		}
		each.bytes += int64(len(answer))
		if name := textAfter(answer, `"name":"`); name != objectName(i) {
			each.violations = append(each.violations, fmt.Sprintf("asked for %s, got %q", objectName(i), name))
		}
		return nil
	})
	result := watch.stop(workers)
	result.Oracle = violationOf(workers)
	return result, errors.Join(oracleError(result.Oracle), failed(result), ctx.Err())
}
