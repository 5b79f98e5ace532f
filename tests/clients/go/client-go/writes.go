package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
)

// typedClients writes and reads by protobuf in both directions.
func typedClients(w *world) error {
	pods := w.typed.CoreV1().Pods(w.namespace)
	made, err := pods.Create(w, pod("one"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := first(
		expect("default restart policy", made.Spec.RestartPolicy, corev1.RestartPolicyAlways),
		expect("default scheduler", made.Spec.SchedulerName, "default-scheduler"),
		expect("tolerations given by admission", len(made.Spec.Tolerations), 2),
		expect("volume of the service account", len(made.Spec.Volumes), 1),
		expect("phase", made.Status.Phase, corev1.PodPending),
	); err != nil {
		return err
	}
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	if _, err := deployments.Create(w, deployment("web"), metav1.CreateOptions{}); err != nil {
		return err
	}
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		found, err := deployments.Get(w, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		found.Spec.Template.Spec.Containers[0].Image = "fake:2"
		updated, err := deployments.Update(w, found, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		return expect("generation", updated.Generation, 2)
	})
	if err != nil {
		return err
	}
	list, err := deployments.List(w, metav1.ListOptions{LabelSelector: "nothing=here"})
	if err != nil {
		return err
	}
	if err := expect("deployments with a label that none has", len(list.Items), 0); err != nil {
		return err
	}
	grace := int64(0)
	options := metav1.DeleteOptions{
		GracePeriodSeconds: &grace,
		Preconditions:      metav1.NewUIDPreconditions(string(made.UID)),
	}
	if err := pods.Delete(w, "one", options); err != nil {
		return err
	}
	for _, each := range w.traffic.of("POST", "/deployments") {
		if each.sent != protobuf || each.got != protobuf {
			return fmt.Errorf("a create was sent as %s and answered as %s", each.sent, each.got)
		}
	}
	return expect("creates seen", len(w.traffic.of("POST", "/deployments")), 1)
}

// patches sends each type of patch.
func patches(w *world) error {
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	if _, err := deployments.Create(w, deployment("web"), metav1.CreateOptions{}); err != nil {
		return err
	}
	for _, each := range []struct {
		kind types.PatchType
		body string
	}{
		{types.StrategicMergePatchType, `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"fake:side"}]}}}}`},
		{types.MergePatchType, `{"spec":{"replicas":4},"metadata":{"annotations":{"a":"b"}}}`},
		{types.JSONPatchType, `[{"op":"test","path":"/spec/replicas","value":4},{"op":"replace","path":"/spec/replicas","value":5}]`},
	} {
		if _, err := deployments.Patch(w, "web", each.kind, []byte(each.body), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("%s: %w", each.kind, err)
		}
	}
	found, err := deployments.Get(w, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	stale := []byte(`[{"op":"test","path":"/spec/replicas","value":4}]`)
	_, failed := deployments.Patch(w, "web", types.JSONPatchType, stale, metav1.PatchOptions{})
	return first(
		expect("containers", len(found.Spec.Template.Spec.Containers), 2),
		expect("replicas", *found.Spec.Replicas, 5),
		expect("annotation", found.Annotations["a"], "b"),
		expect("a test that fails is invalid", errors.IsInvalid(failed), true),
	)
}

// errorKinds tells errors apart as controllers do.
func errorKinds(w *world) error {
	maps := w.typed.CoreV1().ConfigMaps(w.namespace)
	made, err := maps.Create(w, configMap("one", "1"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, again := maps.Create(w, configMap("one", "1"), metav1.CreateOptions{})
	_, absent := maps.Get(w, "absent", metav1.GetOptions{})
	if _, err := maps.Update(w, configMap("one", "2"), metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("an update without a version: %w", err)
	}
	_, stale := maps.Update(w, made, metav1.UpdateOptions{})
	_, invalid := maps.Create(w, configMap("No", "1"), metav1.CreateOptions{})
	_, nowhere := w.typed.CoreV1().ConfigMaps("absent").Create(w, configMap("one", "1"), metav1.CreateOptions{})
	wrong := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("wrong")}
	precondition := maps.Delete(w, "one", wrong)
	generated := configMap("", "1")
	generated.GenerateName = "some-"
	named, err := maps.Create(w, generated, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	var status errors.APIStatus = invalid.(errors.APIStatus)
	return first(
		expect("already exists", errors.IsAlreadyExists(again), true),
		expect("not found", errors.IsNotFound(absent), true),
		expect("conflict", errors.IsConflict(stale), true),
		expect("invalid", errors.IsInvalid(invalid), true),
		expect("causes", len(status.Status().Details.Causes), 1),
		expect("no such namespace", errors.IsNotFound(nowhere), true),
		expect("precondition", errors.IsConflict(precondition), true),
		expect("length of a generated name", len(named.Name), len("some-")+5),
	)
}

// paging walks a collection in pieces, and deletes it at once.
func paging(w *world) error {
	maps := w.typed.CoreV1().ConfigMaps(w.namespace)
	for number := range 57 {
		if _, err := maps.Create(w, configMap(named("page", number), "x"), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	pages := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
		return maps.List(w, options)
	}))
	pages.PageSize = 10
	seen := 0
	err := pages.EachListItem(w, metav1.ListOptions{LabelSelector: "app=check"}, func(runtime.Object) error {
		seen++
		return nil
	})
	if err != nil {
		return err
	}
	if err := expect("items in pages", seen, 57); err != nil {
		return err
	}
	if err := expect("pages", len(w.traffic.of("GET", "/configmaps")), 6); err != nil {
		return err
	}
	selected := metav1.ListOptions{LabelSelector: "app=check"}
	if err := maps.DeleteCollection(w, metav1.DeleteOptions{}, selected); err != nil {
		return err
	}
	left, err := maps.List(w, selected)
	if err != nil {
		return err
	}
	return expect("left", len(left.Items), 0)
}
