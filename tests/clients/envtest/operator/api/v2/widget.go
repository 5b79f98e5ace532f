// Package v2 of Widget says the size in words.
package v2

import (
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/controller-runtime/pkg/scheme"

	v1 "homeostat.dev/tests/clients/envtest/api/v1"
)

var (
	GroupVersion  = schema.GroupVersion{Group: "suite.homeostat.dev", Version: "v2"}
	schemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
	AddToScheme   = schemeBuilder.AddToScheme
)

func init() {
	schemeBuilder.Register(&Widget{}, &WidgetList{})
}

type WidgetSpec struct {
	SizeText string `json:"sizeText"`
	Color    string `json:"color,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec      `json:"spec"`
	Status v1.WidgetStatus `json:"status,omitempty"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}

func (in *Widget) ConvertTo(raw conversion.Hub) error {
	out := raw.(*v1.Widget)
	size, err := strconv.Atoi(in.Spec.SizeText)
	if err != nil {
		return fmt.Errorf("sizeText %q is no number", in.Spec.SizeText)
	}
	out.ObjectMeta = in.ObjectMeta
	out.Spec = v1.WidgetSpec{Size: int32(size), Color: in.Spec.Color}
	out.Status = in.Status
	return nil
}

func (in *Widget) ConvertFrom(raw conversion.Hub) error {
	from := raw.(*v1.Widget)
	in.ObjectMeta = from.ObjectMeta
	in.Spec = WidgetSpec{SizeText: strconv.Itoa(int(from.Spec.Size)), Color: from.Spec.Color}
	in.Status = from.Status
	return nil
}

func (in *Widget) DeepCopyInto(out *Widget) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Status.Conditions != nil {
		out.Status.Conditions = make([]metav1.Condition, len(in.Status.Conditions))
		for i := range in.Status.Conditions {
			in.Status.Conditions[i].DeepCopyInto(&out.Status.Conditions[i])
		}
	}
}

func (in *Widget) DeepCopyObject() runtime.Object {
	out := new(Widget)
	in.DeepCopyInto(out)
	return out
}

func (in *WidgetList) DeepCopyObject() runtime.Object {
	out := new(WidgetList)
	*out = *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Widget, len(in.Items))
	for i := range in.Items {
		in.Items[i].DeepCopyInto(&out.Items[i])
	}
	return out
}
