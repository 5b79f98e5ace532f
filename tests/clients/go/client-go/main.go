// Drives an API server with client-go as published: what the libraries of Kubernetes' own controllers
// do. Each check is independent and prints one line; the exit code is 1 if any failed.
// The server is the one of $KUBECONFIG.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const protobuf = "application/vnd.kubernetes.protobuf"

// world is what checks work with.
type world struct {
	context.Context
	config     *rest.Config
	typed      kubernetes.Interface
	dynamic    dynamic.Interface
	metadata   metadata.Interface
	extensions apiextensions.Interface
	traffic    *traffic
	// A namespace of the check's own.
	namespace string
}

type check struct {
	name string
	run  func(*world) error
}

func main() {
	checks := []check{
		{"typed-clients", typedClients},
		{"patches", patches},
		{"errors", errorKinds},
		{"paging", paging},
		{"informers", informers},
		{"watch-list", watchList},
		{"dynamic-informers", dynamicInformers},
		{"metadata-informers", metadataInformers},
		{"apply-configurations", applyConfigurations},
		{"retry-watcher", retryWatcher},
		{"future-version", futureVersion},
		{"leader-election", leaderElection},
		{"discovery", discovery},
		{"subresources", subresources},
		{"reviews", reviews},
	}
	failed := 0
	for _, each := range checks {
		if len(os.Args) > 1 && !strings.Contains(strings.Join(os.Args[1:], " "), each.name) {
			continue
		}
		begun := time.Now()
		if err := runCheck(each); err != nil {
			failed++
			fmt.Printf("FAIL %s: %v\n", each.name, err)
			continue
		}
		fmt.Printf("ok %s %d ms\n", each.name, time.Since(begun).Milliseconds())
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func runCheck(each check) error {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	w, err := newWorld(ctx, "client-go-"+each.name)
	if err != nil {
		return err
	}
	if err := w.open(); err != nil {
		return err
	}
	defer w.close()
	return each.run(w)
}

func newWorld(ctx context.Context, namespace string) (*world, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	w := &world{Context: ctx, config: config, namespace: namespace, traffic: &traffic{}}
	config.QPS, config.Burst = 1000, 2000
	config.Wrap(w.traffic.wrap)
	typed := rest.CopyConfig(config)
	typed.ContentType = protobuf
	typed.AcceptContentTypes = protobuf
	if w.typed, err = kubernetes.NewForConfig(typed); err != nil {
		return nil, err
	}
	if w.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return nil, err
	}
	if w.metadata, err = metadata.NewForConfig(config); err != nil {
		return nil, err
	}
	w.extensions, err = apiextensions.NewForConfig(typed)
	return w, err
}

// until waits for something that others bring about.
func (w *world) until(what string, isSo func() (bool, error)) error {
	for {
		ok, err := isSo()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ok {
			return nil
		}
		select {
		case <-w.Done():
			return fmt.Errorf("%s: not in time", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func expect[T comparable](what string, got, wanted T) error {
	if got != wanted {
		return fmt.Errorf("%s: got %v, expected %v", what, got, wanted)
	}
	return nil
}

// first answers the first error there is.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
