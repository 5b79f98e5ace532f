package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

type noiseResult struct {
	Seconds float64 `json:"seconds"`
	Lists   int     `json:"lists"`
	// Posts counts the large bodies by the code of the answer.
	Posts            map[string]int `json:"posts"`
	LongestPostUs    float64        `json:"longestPostUs"`
	SlowBytes        int64          `json:"slowBytes"`
	SlowCuts         int            `json:"slowCuts"`
	Errors           int            `json:"errors"`
	FirstError       string         `json:"firstError,omitempty"`
	DriverCPUSeconds float64        `json:"driverCpuSeconds"`
}

// noiseMode is the bad company: one client lists everything again and again, one posts large bodies,
// one reads a watch that begins with every object, slowly, one sends what is expensive to check. It ends
// after its time, or on SIGTERM.
func noiseMode(ctx context.Context, args []string) (any, error) {
	var seconds float64
	var bodySize, slowRate int
	var lists bool
	var strainName string
	settings, err := parse("noise", args, func(flags *flag.FlagSet, _ *common) {
		flags.Float64Var(&seconds, "seconds", 10, "how long")
		flags.BoolVar(&lists, "lists", true, "list everything")
		flags.IntVar(&bodySize, "body-size", 3<<20-4096, "bytes of a large body; 0: post none")
		flags.IntVar(&slowRate, "slow-rate", 1024, "bytes a second that the slow watcher reads; 0: no slow watcher")
		flags.StringVar(&strainName, "strain", "", "send what is expensive to check: "+strings.Join(strainNames(), ", "))
	}, func(*common) string {
		if _, known := strains[strainName]; strainName != "" && !known {
			return fmt.Sprintf("--strain is %q; one of %s is needed", strainName, strings.Join(strainNames(), ", "))
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	result := noiseResult{Posts: map[string]int{}}
	var lock sync.Mutex
	note := func(change func()) { lock.Lock(); defer lock.Unlock(); change() }
	var loops []func(context.Context, *target) error
	if lists {
		loops = append(loops, func(ctx context.Context, t *target) error {
			_, err := t.listOnce(ctx, &worker{}, url.Values{})
			if err == nil {
				note(func() { result.Lists++ })
			}
			return err
		})
	}
	if bodySize > 0 {
		body := largeBody(bodySize)
		loops = append(loops, func(ctx context.Context, t *target) error {
			code := http.StatusCreated
			_, err := t.send(ctx, http.MethodPost, "/api/v1/namespaces/"+t.namespace+"/configmaps", body)
			var refused *statusError
			if errors.As(err, &refused) {
				code, err = refused.code, nil
			}
			if err == nil {
				note(func() { result.Posts[fmt.Sprint(code)]++ })
			}
			return err
		})
	}
	if strainName != "" {
		loop, err := strainLoop(ctx, settings, strains[strainName](), func(code string, took time.Duration) {
			note(func() {
				result.Posts[code]++
				result.LongestPostUs = max(result.LongestPostUs, float64(took.Microseconds()))
			})
		})
		if err != nil {
			return nil, err
		}
		loops = append(loops, loop)
	}
	if slowRate > 0 {
		loops = append(loops, func(ctx context.Context, t *target) error {
			size, err := t.readSlowly(ctx, slowRate)
			note(func() { result.SlowBytes += size; result.SlowCuts++ })
			return err
		})
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	defer cancel()
	begin := time.Now()
	beginPhase("measure")
	var running sync.WaitGroup
	for _, loop := range loops {
		// Each is a client of its own, with its own connection.
		t, err := connect(settings)
		if err != nil {
			return nil, err
		}
		running.Go(func() {
			for ctx.Err() == nil {
				if err := loop(ctx, t); err != nil && ctx.Err() == nil {
					note(func() {
						result.Errors++
						result.FirstError = err.Error()
					})
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	running.Wait()
	result.Seconds, result.DriverCPUSeconds = time.Since(begin).Seconds(), ownCPUSeconds()
	return result, nil
}

// largeBody is a ConfigMap whose data alone is too large to be valid: the server must read and
// decode all of it to say so.
func largeBody(size int) []byte {
	head := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"large-"},"data":{`
	text := []byte(head)
	for i := 0; len(text) < size-1200; i++ {
		text = fmt.Appendf(text, `"key-%d":"%s",`, i, payload(i, 0, 1000))
	}
	return append(text, `"last":"x"}}`...)
}

// readSlowly opens a watch that begins with every object and reads so many bytes a second of it.
func (t *target) readSlowly(ctx context.Context, rate int) (int64, error) {
	response, err := t.open(ctx, http.MethodGet, t.collection()+"?watch=1&timeoutSeconds=3600", nil)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	total := int64(0)
	for ctx.Err() == nil {
		n, err := io.CopyN(io.Discard, response.Body, int64(max(rate/10, 1)))
		total += n
		if err != nil {
			return total, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return total, nil
}
