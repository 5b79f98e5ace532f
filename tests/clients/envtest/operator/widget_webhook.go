package envtest

import (
	"context"
	"errors"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	v1 "homeostat.dev/tests/clients/envtest/api/v1"
)

// widgetDefaults paints a Widget that has no colour.
type widgetDefaults struct{}

func (widgetDefaults) Default(_ context.Context, widget *v1.Widget) error {
	if widget.Spec.Color == "" {
		widget.Spec.Color = "grey"
	}
	return nil
}

// widgetRules lets no Widget shrink, warns of large ones and keeps the ones named keep.
type widgetRules struct{}

func (widgetRules) ValidateCreate(_ context.Context, widget *v1.Widget) (admission.Warnings, error) {
	if widget.Spec.Color == "invisible" {
		return nil, errors.New("a widget has to be visible")
	}
	if widget.Spec.Size > 50 {
		return admission.Warnings{fmt.Sprintf("size %d is large", widget.Spec.Size)}, nil
	}
	return nil, nil
}

func (widgetRules) ValidateUpdate(_ context.Context, old, widget *v1.Widget) (admission.Warnings, error) {
	if widget.Spec.Size < old.Spec.Size {
		return nil, fmt.Errorf("a widget cannot shrink from %d to %d", old.Spec.Size, widget.Spec.Size)
	}
	return nil, nil
}

func (widgetRules) ValidateDelete(_ context.Context, widget *v1.Widget) (admission.Warnings, error) {
	if widget.Name == "keep" {
		return nil, errors.New("this widget is kept")
	}
	return nil, nil
}

func setupWebhooks(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &v1.Widget{}).
		WithDefaulter(widgetDefaults{}).
		WithValidator(widgetRules{}).
		Complete()
}
