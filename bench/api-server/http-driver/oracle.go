package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// kept is what is known of an object: the resourceVersion and the mark's sequence of its last
// acknowledged write. version "": not acknowledged to be there.
type kept struct {
	version  string
	sequence uint32
}

// page is what the oracle reads of a list.
type page struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
		Continue        string `json:"continue"`
	} `json:"metadata"`
	Items []seen `json:"items"`
}

// readAll lists the namespace in pages and gives every object to see; each once, in the order of
// their names, or it is an error.
func (t *target) readAll(ctx context.Context, selector string, see func(*seen) error) error {
	query := url.Values{"limit": {"500"}}
	if selector != "" {
		query.Set("labelSelector", selector)
	}
	last := ""
	for {
		text, err := t.send(ctx, http.MethodGet, t.collection()+"?"+query.Encode(), nil)
		if err != nil {
			return err
		}
		var answer page
		if err := json.Unmarshal(text, &answer); err != nil {
			return fmt.Errorf("a list is not JSON: %w", err)
		}
		for i := range answer.Items {
			item := &answer.Items[i]
			if item.Metadata.Name <= last {
				return fmt.Errorf("the list has %s after %s", item.Metadata.Name, last)
			}
			last = item.Metadata.Name
			if err := see(item); err != nil {
				return err
			}
		}
		if answer.Metadata.Continue == "" {
			return nil
		}
		query.Set("continue", answer.Metadata.Continue)
	}
}

// readState learns the objects first..first+objects-1, all of which must be there and whole.
// markIn chooses the mark that counts; an object without one has sequence 0.
func (t *target) readState(ctx context.Context, markIn func(*seen) string) ([]kept, error) {
	state := make([]kept, t.objects)
	err := t.readAll(ctx, "", func(item *seen) error {
		i := indexOf(item.Metadata.Name)
		if i < t.first || i >= t.first+t.objects {
			return nil
		}
		if !item.isWhole() {
			return fmt.Errorf("%s has not the content that was written", item.Metadata.Name)
		}
		number, sequence, ok := parseMark(markIn(item))
		if ok && number != i {
			return fmt.Errorf("%s has the mark of object %d", item.Metadata.Name, number)
		}
		state[i-t.first] = kept{item.Metadata.ResourceVersion, sequence}
		return nil
	})
	return state, err
}

// present refuses a state with a hole.
func present(t *target, state []kept) error {
	for i, each := range state {
		if each.version == "" {
			return fmt.Errorf("%s is missing: create the objects first", objectName(t.first+i))
		}
	}
	return nil
}

// compare is the oracle of writes: every acknowledged write is there, and nothing newer or older.
func (t *target) compare(ctx context.Context, acknowledged []kept, markIn func(*seen) string) string {
	found, err := t.readState(context.WithoutCancel(ctx), markIn)
	if err != nil {
		return "failed: " + err.Error()
	}
	for i, expected := range acknowledged {
		if expected.version != "" && found[i] != expected {
			return fmt.Sprintf("failed: %s is at %v; acknowledged was %v", objectName(t.first+i), found[i], expected)
		}
	}
	return "ok"
}

var errOracle = errors.New("oracle")

func oracleError(oracle string) error {
	if oracle == "ok" {
		return nil
	}
	return fmt.Errorf("%w %s", errOracle, oracle)
}

func versionNumber(text string) uint64 {
	number, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	return number
}
