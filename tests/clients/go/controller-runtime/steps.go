package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const widgets = 20

func key(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

func widgetName(number int) string { return fmt.Sprintf("widget-%02d", number) }

// reconcile makes widgets and waits for their children and status.
func (w *world) reconcile() error {
	for number := range widgets {
		widget := &Widget{
			ObjectMeta: metav1.ObjectMeta{Name: widgetName(number), Namespace: namespace},
			Spec:       WidgetSpec{Replicas: int32(number)},
		}
		if err := w.direct.Create(w, widget); err != nil {
			return err
		}
	}
	for number := range widgets {
		if err := w.untilReady(widgetName(number), int32(number), "by first"); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) untilReady(name string, replicas int32, message string) error {
	return w.until(name+" is ready", func() (bool, error) {
		widget, deployment, config := &Widget{}, &appsv1.Deployment{}, &corev1.ConfigMap{}
		for _, object := range []client.Object{widget, deployment, config} {
			if err := w.direct.Get(w, key(name), object); err != nil {
				return false, err
			}
		}
		ready := meta.FindStatusCondition(widget.Status.Conditions, "Ready")
		return ready != nil && ready.Message == message &&
			widget.Status.ObservedGeneration == widget.Generation &&
			*deployment.Spec.Replicas == replicas &&
			config.Data["size"] == fmt.Sprint(replicas) &&
			metav1.IsControlledBy(deployment, widget) && metav1.IsControlledBy(config, widget), nil
	})
}

// caches reads what the manager knows, also by an index, and undoes what somebody else changed.
func (w *world) caches() error {
	cached := w.leader.GetClient()
	found := &corev1.ConfigMapList{}
	err := w.until("the index knows", func() (bool, error) {
		err := cached.List(w, found, client.InNamespace(namespace), client.MatchingFields{"size": "7"})
		return len(found.Items) == 1 && found.Items[0].Name == widgetName(7), err
	})
	if err != nil {
		return err
	}
	drifted := &appsv1.Deployment{}
	if err := w.direct.Get(w, key(widgetName(7)), drifted); err != nil {
		return err
	}
	zero := int32(0)
	drifted.Spec.Replicas = &zero
	if err := w.direct.Update(w, drifted); err != nil {
		return err
	}
	if err := w.direct.Delete(w, &found.Items[0]); err != nil {
		return err
	}
	return w.untilReady(widgetName(7), 7, "by first")
}

// unstructured caches widgets without types, and writes them so.
func (w *world) unstructured() error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(groupVersion.WithKind("WidgetList"))
	if err := w.leader.GetCache().List(w, list, client.InNamespace(namespace)); err != nil {
		return err
	}
	if len(list.Items) != widgets {
		return fmt.Errorf("%d widgets are cached", len(list.Items))
	}
	changed := list.Items[3].DeepCopy()
	if err := unstructured.SetNestedField(changed.Object, int64(33), "spec", "replicas"); err != nil {
		return err
	}
	if err := w.leader.GetClient().Update(w, changed); err != nil && !apierrors.IsConflict(err) {
		return err
	}
	scale := &unstructured.Unstructured{}
	scale.SetGroupVersionKind(groupVersion.WithKind("Widget"))
	scale.SetName(changed.GetName())
	scale.SetNamespace(namespace)
	size := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "autoscaling/v1", "kind": "Scale",
		"spec": map[string]any{"replicas": int64(12)},
	}}
	if err := w.direct.SubResource("scale").Update(w, scale, client.WithSubResourceBody(size)); err != nil {
		return fmt.Errorf("scale: %w", err)
	}
	return w.untilReady(changed.GetName(), 12, "by first")
}

// metadataOnly caches nothing but metadata of deployments and widgets.
func (w *world) metadataOnly() error {
	for _, kind := range []metav1.TypeMeta{
		{APIVersion: "apps/v1", Kind: "DeploymentList"},
		{APIVersion: groupVersion.String(), Kind: "WidgetList"},
	} {
		list := &metav1.PartialObjectMetadataList{TypeMeta: kind}
		if err := w.leader.GetCache().List(w, list, client.InNamespace(namespace)); err != nil {
			return fmt.Errorf("%s: %w", kind.Kind, err)
		}
		if len(list.Items) != widgets || list.Items[0].UID == "" {
			return fmt.Errorf("%s: %d are cached", kind.Kind, len(list.Items))
		}
	}
	one := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}}
	if err := w.direct.Get(w, key(widgetName(1)), one); err != nil {
		return err
	}
	before := one.DeepCopy()
	one.Annotations = map[string]string{"seen": "yes"}
	return w.direct.Patch(w, one, client.MergeFrom(before))
}

// patches sends what the library makes of two objects.
func (w *world) patches() error {
	deployment := &appsv1.Deployment{}
	if err := w.direct.Get(w, key(widgetName(2)), deployment); err != nil {
		return err
	}
	before := deployment.DeepCopy()
	deployment.Spec.Template.Spec.Containers = append(deployment.Spec.Template.Spec.Containers,
		corev1.Container{Name: "side", Image: "fake:side"})
	if err := w.direct.Patch(w, deployment, client.StrategicMergeFrom(before)); err != nil {
		return fmt.Errorf("strategic: %w", err)
	}
	if len(deployment.Spec.Template.Spec.Containers) != 2 {
		return fmt.Errorf("%d containers", len(deployment.Spec.Template.Spec.Containers))
	}
	raw := client.RawPatch(types.JSONPatchType, []byte(`[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`))
	if err := w.direct.Patch(w, deployment, raw); err != nil {
		return fmt.Errorf("JSON: %w", err)
	}
	stale := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	changed := before.DeepCopy()
	changed.Labels = map[string]string{"c": "d"}
	if err := w.direct.Patch(w, changed, stale); !apierrors.IsConflict(err) {
		return fmt.Errorf("a stale patch gave %v", err)
	}
	dry := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "dry", Namespace: namespace}}
	if err := w.direct.Create(w, dry, client.DryRunAll); err != nil {
		return err
	}
	if err := w.direct.Get(w, key("dry"), dry); !apierrors.IsNotFound(err) {
		return fmt.Errorf("a dry run left %v", err)
	}
	return nil
}

// validation refuses what the definition's rule does not allow, and unknown fields when asked to.
func (w *world) validation() error {
	large := &Widget{
		ObjectMeta: metav1.ObjectMeta{Name: "large", Namespace: namespace},
		Spec:       WidgetSpec{Replicas: 51},
	}
	err := w.direct.Create(w, large)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "at most 50 replicas") {
		return fmt.Errorf("51 replicas gave %v", err)
	}
	strict := client.WithFieldValidation(w.direct, metav1.FieldValidationStrict)
	odd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": groupVersion.String(), "kind": "Widget",
		"metadata": map[string]any{"name": "odd", "namespace": namespace},
		"spec":     map[string]any{"replicas": int64(1), "colour": "red"},
	}}
	if err := strict.Create(w, odd); err == nil || !strings.Contains(err.Error(), `unknown field "spec.colour"`) {
		return fmt.Errorf("an unknown field gave %v", err)
	}
	return nil
}

// handOver stops the leader; another manager goes on.
func (w *world) handOver() (err error) {
	if w.standby, err = w.startManager("second"); err != nil {
		return err
	}
	select {
	case <-w.standby.Elected():
		return errors.New("there are two leaders")
	case <-time.After(2 * time.Second):
	}
	w.leader.stop()
	if err := <-w.leader.ended; err != nil {
		return fmt.Errorf("the first ended with %w", err)
	}
	select {
	case <-w.standby.Elected():
	case <-time.After(20 * time.Second):
		return errors.New("nobody took over")
	}
	// The second says of each widget that it made it.
	return w.untilReady(widgetName(5), 5, "by second")
}

// finalizers lets the controller clean up before widgets go.
func (w *world) finalizers() error {
	before := w.cleaned.Load()
	if err := w.direct.DeleteAllOf(w, &Widget{}, client.InNamespace(namespace)); err != nil {
		return err
	}
	err := w.until("all widgets are gone", func() (bool, error) {
		left := &WidgetList{}
		err := w.direct.List(w, left, client.InNamespace(namespace))
		return len(left.Items) == 0, err
	})
	if err != nil {
		return err
	}
	if cleaned := w.cleaned.Load() - before; cleaned < widgets {
		return fmt.Errorf("%d of %d widgets were cleaned up", cleaned, widgets)
	}
	w.standby.stop()
	return <-w.standby.ended
}
