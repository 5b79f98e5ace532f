package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

type fillResult struct {
	figures
	// Refusal is the first answer that was not a success, and Status whether it was a Kubernetes Status.
	RefusalCode   int    `json:"refusalCode"`
	RefusalReason string `json:"refusalReason"`
	Refusal       string `json:"refusal"`
	// Alive: afterwards the server still reads, and still answers a write in its own words.
	Alive bool `json:"alive"`
}

// fillMode writes until the server says no. Objects are the size that --kind gives them.
func fillMode(ctx context.Context, args []string) (any, error) {
	var bounds limits
	settings, err := parse("fill", args, bounds.register, nil)
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t.warm(ctx)
	watch := startMeasuring()
	workers := work(ctx, t, bounds, func(ctx context.Context, each *worker) error {
		at := each.number + each.stride*(len(each.latencies)+len(each.errors))
		if at >= t.objects {
			return errDone
		}
		_, err := t.send(ctx, http.MethodPost, t.collection(), t.kind.body(t.first+at, 1, ""))
		if err != nil && context.Cause(ctx) == nil {
			cancel(err)
		}
		return err
	})
	result := fillResult{figures: watch.stop(workers)}
	var refused *statusError
	if cause := context.Cause(ctx); errors.As(cause, &refused) {
		result.RefusalCode, result.RefusalReason, result.Refusal = refused.code, refused.reason, refused.message
	} else if cause != nil {
		result.Refusal = cause.Error()
	}
	result.Alive = t.isAlive(context.WithoutCancel(ctx))
	result.Oracle = "ok"
	if !result.Alive {
		result.Oracle = "failed: the server no longer answers"
	}
	return result, nil
}

func (t *target) isAlive(ctx context.Context) bool {
	limited, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	text, err := t.send(limited, http.MethodGet, t.collection()+"?limit=5", nil)
	var answer page
	if err != nil || json.Unmarshal(text, &answer) != nil || len(answer.Items) == 0 {
		return false
	}
	_, err = t.send(limited, http.MethodPost, t.collection(), t.kind.body(t.first+t.objects, 1, ""))
	var refused *statusError
	return err == nil || errors.As(err, &refused) && fmt.Sprint(refused.reason) != ""
}
