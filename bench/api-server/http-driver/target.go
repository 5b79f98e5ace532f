package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// target is one server and the connections to it. Requests take the connections in turn.
type target struct {
	common
	kind    kind
	clients []*http.Client
	next    atomic.Uint64
}

// statusError is an answer that is not a success: the HTTP code and what the Status says.
type statusError struct {
	code    int
	reason  string
	message string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%d %s: %s", e.code, e.reason, e.message)
}

func connect(settings common) (*target, error) {
	security, err := settings.security()
	if err != nil {
		return nil, err
	}
	t := &target{common: settings, kind: kinds[settings.kindName].in(settings.encoding)}
	t.server = strings.TrimSuffix(settings.server, "/")
	for range max(1, settings.connections) {
		t.clients = append(t.clients, &http.Client{Transport: transport(settings, security)})
	}
	return t, nil
}

func transport(settings common, security *tls.Config) http.RoundTripper {
	if settings.protocol == "h1" {
		security = security.Clone()
		security.NextProtos = []string{"http/1.1"}
		return &http.Transport{
			TLSClientConfig:     security,
			TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{},
			MaxIdleConnsPerHost: max(settings.inFlight, 1) + 16,
			DisableCompression:  true,
			WriteBufferSize:     64 << 10,
			ReadBufferSize:      64 << 10,
		}
	}
	h2 := &http2.Transport{TLSClientConfig: security, DisableCompression: true}
	if strings.HasPrefix(settings.server, "http://") {
		h2.AllowHTTP = true
		h2.DialTLSContext = func(ctx context.Context, network, address string, _ *tls.Config) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		}
	}
	return h2
}

func (c common) security() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.cert != "" {
		pair, err := tls.LoadX509KeyPair(c.cert, c.key)
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if c.ca == "" {
		config.InsecureSkipVerify = true
		return config, nil
	}
	text, err := os.ReadFile(c.ca)
	if err != nil {
		return nil, err
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate", c.ca)
	}
	return config, nil
}

func (t *target) client() *http.Client {
	return t.clients[t.next.Add(1)%uint64(len(t.clients))]
}

// collection is the path of the kind's objects in the namespace.
func (t *target) collection() string {
	return fmt.Sprintf("%s/namespaces/%s/%s", t.kind.prefix, t.namespace, t.kindName)
}

func (t *target) object(i int) string {
	return t.collection() + "/" + objectName(i)
}

// open sends a request in JSON and answers the response with its body unread; an answer that is no
// success is a *statusError.
func (t *target) open(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	return t.openIn(ctx, jsonEncoding, method, path, body)
}

func (t *target) openIn(ctx context.Context, wire encoding, method, path string, body []byte) (*http.Response, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, t.server+path, reader)
	if err != nil {
		return nil, err
	}
	request.Header["Accept"] = []string{wire.mediaType}
	request.Header["User-Agent"] = []string{"http-driver"}
	if body != nil {
		request.Header["Content-Type"] = []string{wire.contentType(method)}
	}
	response, err := t.client().Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	return nil, refusal(response)
}

func refusal(response *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	var status struct{ Reason, Message string }
	var typed metav1.Status
	if message, err := openEnvelope(text); err == nil && typed.Unmarshal(message) == nil {
		status.Reason, status.Message = string(typed.Reason), typed.Message
	} else if json.Unmarshal(text, &status) != nil {
		status.Message = string(text)
	}
	if len(status.Message) > 300 {
		status.Message = status.Message[:300]
	}
	return &statusError{response.StatusCode, status.Reason, status.Message}
}

// send is open with the whole body of the answer.
func (t *target) send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	return t.sendIn(ctx, jsonEncoding, method, path, body)
}

func (t *target) sendIn(ctx context.Context, wire encoding, method, path string, body []byte) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	response, err := t.openIn(limited, wire, method, path, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	buffer := bytes.NewBuffer(make([]byte, 0, max(int(response.ContentLength), 2048)+512))
	if _, err := buffer.ReadFrom(response.Body); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

// prepare makes the namespace and what the kind needs.
func (t *target) prepare(ctx context.Context) error {
	if err := t.prepareNamespace(ctx); err != nil {
		return err
	}
	if t.kind.definition != nil {
		return t.install(ctx, *t.kind.definition)
	}
	if t.kindName != "pods" {
		return nil
	}
	account := []byte(`{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}`)
	return t.ensure(ctx, "/api/v1/namespaces/"+t.namespace+"/serviceaccounts", account)
}

func (t *target) prepareNamespace(ctx context.Context) error {
	namespace := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, t.namespace)
	return t.ensure(ctx, "/api/v1/namespaces", namespace)
}

// warm opens every connection that the workers will use, so that no handshake is measured.
func (t *target) warm(ctx context.Context) {
	var opening sync.WaitGroup
	for range max(t.inFlight, len(t.clients)) {
		opening.Go(func() { _, _ = t.send(ctx, http.MethodGet, "/version", nil) })
	}
	opening.Wait()
}

func (t *target) ensure(ctx context.Context, path string, body []byte) error {
	_, err := t.send(ctx, http.MethodPost, path, body)
	var refused *statusError
	if errors.As(err, &refused) && refused.code == http.StatusConflict {
		return nil
	}
	return err
}
