// Runs managers of controller-runtime as published against the API server of $KUBECONFIG: a controller
// with children, a finalizer and status; leader election with a hand-over; typed, unstructured and
// metadata-only caches. Each step prints one line; the exit code is 1 if any failed.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	extensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const namespace = "controller-runtime"

type world struct {
	context.Context
	config  *rest.Config
	scheme  *runtime.Scheme
	direct  client.Client
	cleaned atomic.Int64
	counted atomic.Int64
	leader  *runningManager
	standby *runningManager
}

type runningManager struct {
	ctrl.Manager
	stop  context.CancelFunc
	ended chan error
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	ctrl.SetLogger(logr.Discard())
	w := &world{Context: ctx}
	steps := []struct {
		name string
		run  func() error
	}{
		{"definition", w.define},
		{"manager", w.startLeader},
		{"reconcile", w.reconcile},
		{"caches", w.caches},
		{"unstructured", w.unstructured},
		{"metadata-only", w.metadataOnly},
		{"patches", w.patches},
		{"validation", w.validation},
		{"leader-hand-over", w.handOver},
		{"finalizers", w.finalizers},
	}
	for _, step := range steps {
		begun := time.Now()
		if err := step.run(); err != nil {
			fmt.Printf("FAIL %s: %v\n", step.name, err)
			os.Exit(1)
		}
		fmt.Printf("ok %s %d ms\n", step.name, time.Since(begun).Milliseconds())
	}
}

// define installs the definition, and the namespace.
func (w *world) define() error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	w.config, w.scheme = config, runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientscheme.AddToScheme, extensionsv1.AddToScheme} {
		if err := add(w.scheme); err != nil {
			return err
		}
	}
	addWidgets(w.scheme)
	if w.direct, err = client.New(config, client.Options{Scheme: w.scheme}); err != nil {
		return err
	}
	definition := widgetDefinition()
	if err := w.direct.Create(w, definition); err != nil {
		return err
	}
	place := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if err := w.direct.Create(w, place); err != nil {
		return err
	}
	return w.until("widgets are served", func() (bool, error) {
		err := w.direct.List(w, &WidgetList{}, client.InNamespace(namespace))
		return err == nil, nil
	})
}

func (w *world) startManager(name string) (*runningManager, error) {
	lease, renew, retry := 4*time.Second, 3*time.Second, 500*time.Millisecond
	skip := true
	manager, err := ctrl.NewManager(w.config, ctrl.Options{
		Scheme:                        w.scheme,
		LeaderElection:                true,
		LeaderElectionID:              "widgets",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &lease,
		RenewDeadline:                 &renew,
		RetryPeriod:                   &retry,
		Metrics:                       server.Options{BindAddress: "0"},
		Controller:                    config.Controller{SkipNameValidation: &skip},
	})
	if err != nil {
		return nil, err
	}
	err = manager.GetFieldIndexer().IndexField(w, &corev1.ConfigMap{}, "size", func(object client.Object) []string {
		return []string{object.(*corev1.ConfigMap).Data["size"]}
	})
	if err != nil {
		return nil, err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Widget{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}).
		Complete(&reconciler{Client: manager.GetClient(), name: name, cleaned: &w.cleaned, reconcil: &w.counted})
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(w)
	running := &runningManager{Manager: manager, stop: stop, ended: make(chan error, 1)}
	go func() { running.ended <- manager.Start(ctx) }()
	return running, nil
}

func (w *world) startLeader() (err error) {
	if w.leader, err = w.startManager("first"); err != nil {
		return err
	}
	select {
	case <-w.leader.Elected():
		return nil
	case err := <-w.leader.ended:
		return fmt.Errorf("it ended: %w", err)
	case <-time.After(20 * time.Second):
		return errors.New("it was not elected")
	}
}

// until waits for something that others bring about.
func (w *world) until(what string, isSo func() (bool, error)) error {
	end := time.Now().Add(30 * time.Second)
	for {
		ok, err := isSo()
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ok {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: not in time (%v)", what, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
