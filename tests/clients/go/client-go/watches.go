package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	watchtools "k8s.io/client-go/tools/watch"
)

// retryWatcher goes on where it was, though the server ends each watch after a second.
func retryWatcher(w *world) error {
	configMaps := w.typed.CoreV1().ConfigMaps(w.namespace)
	list, err := configMaps.List(w, metav1.ListOptions{})
	if err != nil {
		return err
	}
	watched, err := watchtools.NewRetryWatcherWithContext(w, list.ResourceVersion, &cache.ListWatch{
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			second := int64(1)
			options.TimeoutSeconds = &second
			options.LabelSelector = "app=check"
			return configMaps.Watch(ctx, options)
		},
	})
	if err != nil {
		return err
	}
	defer watched.Stop()
	go func() {
		for number := range 25 {
			_, _ = configMaps.Create(w, configMap(named("w", number), "1"), metav1.CreateOptions{})
			time.Sleep(100 * time.Millisecond)
		}
	}()
	for number := 0; number < 25; {
		select {
		case event := <-watched.ResultChan():
			if event.Type == watch.Bookmark {
				continue
			}
			found, ok := event.Object.(*corev1.ConfigMap)
			if !ok {
				return fmt.Errorf("event %d is %v", number, event)
			}
			if err := expect("the next name", found.Name, named("w", number)); err != nil {
				return err
			}
			number++
		case <-w.Done():
			return fmt.Errorf("%d of 25 events came", number)
		}
	}
	return nil
}

// futureVersion asks for what is yet to come, and is told to come back later.
func futureVersion(w *world) error {
	err := w.typed.CoreV1().RESTClient().Get().Namespace(w.namespace).Resource("configmaps").
		Param("resourceVersion", "9999999999").MaxRetries(0).Do(w).Error()
	return first(
		expect("a timeout", errors.IsTimeout(err), true),
		expect("for its reason", errors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge), true),
	)
}

// leaderElection hands over from one candidate to the next.
func leaderElection(w *world) error {
	leading := make(chan string, 4)
	candidate := func(name string) context.CancelFunc {
		ctx, stop := context.WithCancel(w)
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: w.namespace},
			Client:     w.typed.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		}
		go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock:            lock,
			LeaseDuration:   4 * time.Second,
			RenewDeadline:   3 * time.Second,
			RetryPeriod:     500 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leading <- name },
				OnStoppedLeading: func() {},
			},
		})
		return stop
	}
	stopFirst := candidate("first")
	if err := expect("leader", <-leading, "first"); err != nil {
		return err
	}
	stopSecond := candidate("second")
	defer stopSecond()
	time.Sleep(time.Second)
	stopFirst()
	select {
	case name := <-leading:
		return expect("next leader", name, "second")
	case <-w.Done():
		return fmt.Errorf("nobody took over")
	}
}
