// Package envtest is a small operator, and the tests that an operator has: they run on the
// unmodified envtest of controller-runtime, against whatever is in KUBEBUILDER_ASSETS.
package envtest

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	v1 "homeostat.dev/tests/clients/envtest/api/v1"
)

const finalizer = "suite.homeostat.dev/cleanup"

// WidgetReconciler keeps a ConfigMap for each Widget, and removes it before the Widget goes.
type WidgetReconciler struct {
	client.Client
}

func (r *WidgetReconciler) SetupWithManager(mgr ctrl.Manager) error {
	// Several managers live in one test process.
	skip := true
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1.Widget{}).
		Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{SkipNameValidation: &skip}).
		Complete(r)
}

func (r *WidgetReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var widget v1.Widget
	if err := r.Get(ctx, req.NamespacedName, &widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: widget.Name + "-config", Namespace: widget.Namespace}}
	if !widget.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, config); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		if controllerutil.RemoveFinalizer(&widget, finalizer) {
			return ctrl.Result{}, r.Update(ctx, &widget)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&widget, finalizer) {
		return ctrl.Result{}, r.Update(ctx, &widget)
	}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = map[string]string{"size": fmt.Sprint(widget.Spec.Size)}
		return controllerutil.SetControllerReference(&widget, config, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	before := widget.DeepCopyObject().(*v1.Widget)
	widget.Status.ConfigMap = config.Name
	widget.Status.ObservedGeneration = widget.Generation
	meta.SetStatusCondition(&widget.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Written", Message: "the ConfigMap is as it should be",
	})
	return ctrl.Result{}, r.Status().Patch(ctx, &widget, client.MergeFrom(before))
}
