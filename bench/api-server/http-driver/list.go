package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

type listResult struct {
	figures
	// Items is how many objects one list holds.
	Items int `json:"items"`
}

// uidOpening appears once in every object that has no owner, so lists can be counted without
// decoding them.
var uidOpening = []byte(`"uid":"`)

func listMode(ctx context.Context, args []string) (any, error) {
	var bounds limits
	var variant string
	var limit int
	settings, err := parse("list", args, encodable(func(flags *flag.FlagSet, c *common) {
		bounds.register(flags, c)
		flags.StringVar(&variant, "variant", "whole", "whole, label (1 % of the objects) or paged")
		flags.IntVar(&limit, "limit", 500, "objects in a page")
	}), func(c *common) string {
		if variant != "whole" && variant != "label" && variant != "paged" {
			return fmt.Sprintf("--variant is %q; whole, label or paged is needed", variant)
		}
		if variant == "paged" && c.encoding.name != jsonEncoding.name {
			return "--variant paged is for --encoding json"
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
	query := url.Values{}
	switch variant {
	case "label":
		query.Set("labelSelector", fmt.Sprintf("shard=%d", chosenShard))
	case "paged":
		query.Set("limit", fmt.Sprint(limit))
	}
	expected := expectedItems(t, variant)
	beginPhase("read")
	// Once unmeasured: caches that are filled by the first list are no part of the cost of the next.
	if _, err := t.listOnce(ctx, &worker{}, query); err != nil {
		return nil, err
	}
	t.warm(ctx)
	watch := startMeasuring()
	workers := work(ctx, t, bounds, func(ctx context.Context, each *worker) error {
		items, err := t.listOnce(ctx, each, query)
		if err == nil && items != expected {
			each.violations = append(each.violations, fmt.Sprintf("a list has %d objects; expected %d", items, expected))
		}
		return err
	})
	result := listResult{figures: watch.stop(workers), Items: expected}
	if result.Oracle = violationOf(workers); result.Oracle == "ok" {
		result.Oracle = t.checkList(ctx, variant)
	}
	return result, errors.Join(oracleError(result.Oracle), failed(result.figures), ctx.Err())
}

func expectedItems(t *target, variant string) int {
	if variant != "label" {
		return t.objects
	}
	count := 0
	for i := t.first; i < t.first+t.objects; i++ {
		if i%shards == chosenShard {
			count++
		}
	}
	return count
}

// listOnce reads a list to its end, page by page where there are pages, and counts the objects.
func (t *target) listOnce(ctx context.Context, each *worker, query url.Values) (int, error) {
	items := 0
	query = url.Values{"limit": query["limit"], "labelSelector": query["labelSelector"]}
	for {
		path := t.collection() + "?" + query.Encode()
		if query.Get("limit") != "" {
			text, err := t.send(ctx, http.MethodGet, path, nil)
			if err != nil {
				return 0, err
			}
			each.bytes += int64(len(text))
			items += bytes.Count(text, uidOpening)
			token := textAfter(text[:min(len(text), 4096)], `"continue":"`)
			if token == "" {
				return items, nil
			}
			query.Set("continue", token)
			continue
		}
		response, err := t.openIn(ctx, t.encoding, http.MethodGet, path, nil)
		if err != nil {
			return 0, err
		}
		count, size, err := t.encoding.countItems(response.Body)
		response.Body.Close()
		each.bytes += size
		return count, err
	}
}

// countItems counts the objects of a list as it arrives, and keeps nothing of it.
func countItems(body io.Reader) (items int, size int64, err error) {
	buffer := make([]byte, 256<<10)
	carried := 0
	for {
		n, err := body.Read(buffer[carried:])
		size += int64(n)
		text := buffer[:carried+n]
		items += bytes.Count(text, uidOpening)
		// An opening may lie across two reads; what is carried over is too short to hold a whole one.
		carried = min(len(text), len(uidOpening)-1)
		copy(buffer, text[len(text)-carried:])
		if errors.Is(err, io.EOF) {
			return items, size, nil
		}
		if err != nil {
			return items, size, err
		}
	}
}

// checkList decodes one list as a whole: each expected object once, in the order of names.
func (t *target) checkList(ctx context.Context, variant string) string {
	query := ""
	if variant == "label" {
		query = fmt.Sprintf("?labelSelector=shard%%3D%d", chosenShard)
	}
	response, err := t.open(ctx, http.MethodGet, t.collection()+query, nil)
	if err != nil {
		return "failed: " + err.Error()
	}
	defer response.Body.Close()
	var answer struct {
		Items []struct {
			Metadata struct{ Name string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return "failed: a list is not JSON: " + err.Error()
	}
	at := 0
	for i := t.first; i < t.first+t.objects; i++ {
		if variant == "label" && i%shards != chosenShard {
			continue
		}
		if at >= len(answer.Items) || answer.Items[at].Metadata.Name != objectName(i) {
			return fmt.Sprintf("failed: item %d of the list is not %s", at, objectName(i))
		}
		at++
	}
	if at != len(answer.Items) {
		return fmt.Sprintf("failed: the list has %d objects; expected %d", len(answer.Items), at)
	}
	return "ok"
}
