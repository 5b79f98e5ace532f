package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// installMode creates definitions; one is done when it is established and its objects can be listed.
// The measured phase goes on for --settle after the last one: servers do a part of the work later.
func installMode(ctx context.Context, args []string) (any, error) {
	var size int
	var settle time.Duration
	settings, err := parse("install", args, func(flags *flag.FlagSet, _ *common) {
		flags.IntVar(&size, "size", 0, "bytes of a definition's schema; 0: the schema of widgets")
		flags.DurationVar(&settle, "settle", 0, "time that counts after the last definition")
	}, nil)
	if err != nil {
		return nil, err
	}
	t, err := connect(settings)
	if err != nil {
		return nil, err
	}
	if err := t.prepareNamespace(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, settings.timeout)
	defer cancel()
	t.warm(ctx)
	watch := startMeasuring()
	workers := work(ctx, t, limits{}, func(ctx context.Context, each *worker) error {
		at := each.number + each.stride*len(each.latencies)
		if at >= t.objects {
			return errDone
		}
		err := t.install(ctx, numberedDefinition(t.first+at, size))
		if err != nil {
			each.errors = append(each.errors, err)
			return errDone
		}
		return nil
	})
	took := time.Since(watch.begin)
	select {
	case <-ctx.Done():
	case <-time.After(settle):
	}
	result := watch.stop(workers)
	result.Seconds, result.PerSecond = took.Seconds(), float64(result.Requests)/took.Seconds()
	result.Oracle = "ok"
	if result.Errors > 0 {
		result.Oracle = "failed: " + result.FirstError
	}
	return result, errors.Join(oracleError(result.Oracle), failed(result), ctx.Err())
}

// numberedDefinition has a group of its own, as most installed definitions do.
func numberedDefinition(i, size int) definition {
	d := widgetDefinition(fmt.Sprintf("things%d", i), fmt.Sprintf("Thing%d", i))
	d.group = fmt.Sprintf("group%d.%s", i, benchGroup)
	if size > 0 {
		d.schema = largeSchema(size)
	}
	return d
}

// largeSchema is a schema of about so many bytes, as generators make them: nested objects, most of it
// descriptions.
func largeSchema(size int) string {
	var text strings.Builder
	text.WriteString(`{"type":"object","properties":{"spec":{"type":"object","properties":{"mark":{"type":"string"}`)
	for i := 0; text.Len() < size-4096; i++ {
		fmt.Fprintf(&text, `,"section%d":{"type":"object","description":"%s","properties":{`, i, payload(i, 0, 300))
		for j := range 10 {
			if j > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, `"field%d":%s`, j, fmt.Sprintf(largeFields[j%len(largeFields)], payload(i, uint32(j), 150)))
		}
		text.WriteString(`}}`)
	}
	text.WriteString(`}}}}`)
	return text.String()
}

var largeFields = []string{
	`{"type":"string","description":"%s","maxLength":253,"pattern":"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}`,
	`{"type":"integer","description":"%s","format":"int32","minimum":0,"maximum":65535,"default":8080}`,
	`{"type":"string","description":"%s","enum":["Always","IfNotPresent","Never"]}`,
	`{"type":"array","description":"%s","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"value":{"type":"string"}}},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]}`,
	`{"type":"object","description":"%s","additionalProperties":{"type":"string"}}`,
}

// install creates a definition, if it is not there, and waits until its objects can be listed.
func (t *target) install(ctx context.Context, d definition) error {
	if err := t.ensure(ctx, definitionsPath, d.body()); err != nil {
		return err
	}
	if err := t.awaitEstablished(ctx, d.name()); err != nil {
		return err
	}
	for {
		_, err := t.send(ctx, http.MethodGet, d.collection(t.namespace)+"?limit=1", nil)
		var refused *statusError
		if !errors.As(err, &refused) || refused.code != http.StatusNotFound {
			return err
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("%s is established and not served: %w", d.name(), err)
		}
	}
}

// awaitEstablished watches one definition: asking again and again would cost the server more than
// the installation does.
func (t *target) awaitEstablished(ctx context.Context, name string) error {
	path := definitionsPath + "?watch=1&timeoutSeconds=300&fieldSelector=metadata.name%3D" + name
	response, err := t.open(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewReaderSize(response.Body, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%s was not established: %w", name, err)
		}
		var event struct {
			Object struct {
				Status struct {
					Conditions []struct{ Type, Status, Message string }
				}
			}
		}
		if err := json.Unmarshal(line, &event); err != nil {
			return err
		}
		for _, each := range event.Object.Status.Conditions {
			if each.Type == "Established" && each.Status == "True" {
				return nil
			}
			if each.Type == "NamesAccepted" && each.Status == "False" {
				return fmt.Errorf("%s: %s", name, each.Message)
			}
		}
	}
}

func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}
