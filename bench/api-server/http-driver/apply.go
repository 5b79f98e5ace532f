package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
)

const applyQuery = "?fieldManager=bench-applier"

// applyMode applies whole objects (server-side apply) as one manager that owns all their fields.
// "create" makes each object once; "change" gives objects that were made so a new content; "same"
// applies what is there already, and the resourceVersion must stay.
func applyMode(ctx context.Context, args []string) (any, error) {
	var bounds limits
	var variant string
	settings, err := parse("apply", args, func(flags *flag.FlagSet, c *common) {
		bounds.register(flags, c)
		flags.StringVar(&variant, "variant", "create", "create, change or same")
	}, func(c *common) string {
		switch {
		case variant != "create" && variant != "change" && variant != "same":
			return fmt.Sprintf("--variant is %q; create, change or same is needed", variant)
		case variant == "create":
			return ""
		case c.inFlight > c.objects:
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
	run := applying{t: t, variant: variant, state: make([]kept, t.objects)}
	if err := run.begin(ctx); err != nil {
		return nil, err
	}
	t.warm(ctx)
	watch := startMeasuring()
	workers := work(ctx, t, bounds, run.apply)
	result := writeResult{figures: watch.stop(workers)}
	if result.Oracle = violationOf(workers); result.Oracle == "ok" {
		result.Oracle = t.compare(ctx, run.state, (*seen).markOf)
	}
	return result, errors.Join(oracleError(result.Oracle), failed(result.figures), ctx.Err())
}

type applying struct {
	t       *target
	variant string
	state   []kept
}

func (run *applying) begin(ctx context.Context) error {
	if run.variant == "create" {
		return run.t.prepare(ctx)
	}
	beginPhase("read")
	state, err := run.t.readState(ctx, (*seen).markOf)
	run.state = state
	return errors.Join(err, present(run.t, state))
}

func (run *applying) apply(ctx context.Context, each *worker) error {
	t := run.t
	at := each.number + each.stride*len(each.latencies)
	if run.variant == "create" && at >= t.objects {
		return errDone
	}
	if run.variant != "create" {
		owned := (t.objects - each.number + each.stride - 1) / each.stride
		at = each.number + rand.IntN(owned)*each.stride
	}
	known := run.state[at]
	sequence := known.sequence
	if run.variant != "same" {
		sequence++
	}
	i := t.first + at
	answer, err := t.send(ctx, http.MethodPatch, t.object(i)+applyQuery, t.kind.body(i, sequence, ""))
	if err != nil {
		// It may have happened or not: nothing is promised of this object any more, and the worker's
		// next turn would begin from a wrong state.
		run.state[at] = kept{}
		each.errors = append(each.errors, err)
		return errDone
	}
	run.state[at] = each.acknowledge(jsonEncoding, answer, sequence)
	if (run.variant == "same") != (run.state[at].version == known.version) {
		each.violations = append(each.violations, fmt.Sprintf("%s went from version %q to %q on an apply of variant %s",
			objectName(i), known.version, run.state[at].version, run.variant))
	}
	return nil
}
