package main

import (
	"context"
	"strconv"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "controller-runtime.example.com/cleanup"

// reconciler makes what widgets want: one child by create and patch, one by server-side apply.
type reconciler struct {
	client.Client
	name     string
	cleaned  *atomic.Int64
	reconcil *atomic.Int64
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	r.reconcil.Add(1)
	widget := &Widget{}
	if err := r.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !widget.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(widget, finalizer) {
			r.cleaned.Add(1)
			return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, widget))
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		return ctrl.Result{}, r.Update(ctx, widget)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Name: widget.Name, Namespace: widget.Namespace,
	}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, deployment, func() error {
		labels := map[string]string{"widget": widget.Name}
		deployment.Spec.Replicas = &widget.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main"}}
		}
		deployment.Spec.Template.Spec.Containers[0].Image = "fake:1"
		return controllerutil.SetControllerReference(widget, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	wanted := coreapply.ConfigMap(widget.Name, widget.Namespace).
		WithData(map[string]string{"size": strconv.Itoa(int(widget.Spec.Replicas))}).
		WithOwnerReferences(metaapply.OwnerReference().
			WithAPIVersion(groupVersion.String()).WithKind("Widget").
			WithName(widget.Name).WithUID(widget.UID).WithController(true))
	if err := r.Apply(ctx, wanted, client.FieldOwner("widgets"), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}
	before := widget.DeepCopyObject().(*Widget)
	widget.Status.ObservedGeneration = widget.Generation
	widget.Status.Replicas = widget.Spec.Replicas
	meta.SetStatusCondition(&widget.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Made", Message: "by " + r.name,
	})
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	return ctrl.Result{}, r.Status().Patch(ctx, widget, patch)
}
