package main

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// traffic remembers what was asked and answered, to tell which protocol a library really used.
type traffic struct {
	mutex sync.Mutex
	seen  []exchange
}

type exchange struct {
	method, path string
	query        url.Values
	sent, got    string
	status       int
}

func (t *traffic) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		answer, err := next.RoundTrip(request)
		if err == nil {
			t.mutex.Lock()
			defer t.mutex.Unlock()
			t.seen = append(t.seen, exchange{
				method: request.Method,
				path:   request.URL.Path,
				query:  request.URL.Query(),
				sent:   request.Header.Get("Content-Type"),
				got:    answer.Header.Get("Content-Type"),
				status: answer.StatusCode,
			})
		}
		return answer, err
	})
}

// of answers the exchanges whose path ends so.
func (t *traffic) of(method, suffix string) []exchange {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var found []exchange
	for _, each := range t.seen {
		if each.method == method && strings.HasSuffix(each.path, suffix) {
			found = append(found, each)
		}
	}
	return found
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }
