package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	extensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
)

// open makes the namespace, with the service account that a controller makes where there is one.
func (w *world) open() error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	if _, err := w.typed.CoreV1().Namespaces().Create(w, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	_, err := w.typed.CoreV1().ServiceAccounts(w.namespace).Create(w, account, metav1.CreateOptions{})
	if errors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// close leaves the namespace to whoever deletes namespaces there.
func (w *world) close() {
	_ = w.typed.CoreV1().Namespaces().Delete(w, w.namespace, metav1.DeleteOptions{})
}

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "check"}},
		Data:       map[string]string{"value": value},
	}
}

func pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "check"}},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "main", Image: "fake:1"}},
		},
	}
}

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](2),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       pod("").Spec,
			},
		},
	}
}

var gadgets = schema.GroupVersionResource{
	Group: "client-go.example.com", Version: "v1", Resource: "gadgets",
}

func gadget(name string, size int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "client-go.example.com/v1",
		"kind":       "Gadget",
		"metadata":   map[string]any{"name": name},
		"spec":       map[string]any{"size": size},
	}}
}

// defineGadgets makes the definition where it is not, and waits until it is served.
func (w *world) defineGadgets() error {
	definition := &extensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "gadgets.client-go.example.com"},
		Spec: extensionsv1.CustomResourceDefinitionSpec{
			Group: gadgets.Group,
			Scope: extensionsv1.NamespaceScoped,
			Names: extensionsv1.CustomResourceDefinitionNames{
				Plural: "gadgets", Singular: "gadget", Kind: "Gadget",
			},
			Versions: []extensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &extensionsv1.CustomResourceSubresources{
					Status: &extensionsv1.CustomResourceSubresourceStatus{},
				},
				Schema: &extensionsv1.CustomResourceValidation{
					OpenAPIV3Schema: &extensionsv1.JSONSchemaProps{
						Type: "object",
						Properties: map[string]extensionsv1.JSONSchemaProps{
							"spec": {
								Type: "object",
								Properties: map[string]extensionsv1.JSONSchemaProps{
									"size": {Type: "integer", Maximum: ptr.To(100.0)},
								},
							},
							"status": {Type: "object", XPreserveUnknownFields: ptr.To(true)},
						},
					},
				},
			}},
		},
	}
	definitions := w.extensions.ApiextensionsV1().CustomResourceDefinitions()
	_, err := definitions.Create(w, definition, metav1.CreateOptions{})
	if err != nil && !errors.IsAlreadyExists(err) {
		return err
	}
	return w.until("gadgets are established", func() (bool, error) {
		found, err := definitions.Get(w, definition.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, each := range found.Status.Conditions {
			if each.Type == extensionsv1.Established && each.Status == extensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
}

func named(prefix string, number int) string { return fmt.Sprintf("%s-%03d", prefix, number) }
