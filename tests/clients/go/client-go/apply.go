package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
)

// applyConfigurations applies on the server what two managers want, and takes back what one of them owned.
func applyConfigurations(w *world) error {
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	labels := map[string]string{"app": "web"}
	wanted := func(image string) *appsapply.DeploymentApplyConfiguration {
		return appsapply.Deployment("web", w.namespace).WithSpec(appsapply.DeploymentSpec().
			WithSelector(metaapply.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(coreapply.PodSpec().
				WithContainers(coreapply.Container().WithName("main").WithImage(image).
					WithEnv(coreapply.EnvVar().WithName("A").WithValue("1"))))))
	}
	one := metav1.ApplyOptions{FieldManager: "one"}
	if _, err := deployments.Apply(w, wanted("fake:1"), one); err != nil {
		return err
	}
	scaled := appsapply.Deployment("web", w.namespace).WithSpec(appsapply.DeploymentSpec().WithReplicas(7))
	if _, err := deployments.Apply(w, scaled, metav1.ApplyOptions{FieldManager: "two"}); err != nil {
		return err
	}
	_, conflict := deployments.Apply(w, wanted("fake:2"), metav1.ApplyOptions{FieldManager: "two"})
	if !errors.IsConflict(conflict) {
		return fmt.Errorf("a field of another manager: %v", conflict)
	}
	causes := conflict.(errors.APIStatus).Status().Details.Causes
	forced := metav1.ApplyOptions{FieldManager: "three", Force: true}
	updated, err := deployments.Apply(w, wanted("fake:3"), forced)
	if err != nil {
		return err
	}
	extracted, err := appsapply.ExtractDeployment(updated, "three")
	if err != nil {
		return err
	}
	// What one manager wants no more and nobody else wants goes.
	configMaps := w.typed.CoreV1().ConfigMaps(w.namespace)
	full := coreapply.ConfigMap("c", w.namespace).WithData(map[string]string{"a": "1", "b": "2"})
	if _, err := configMaps.Apply(w, full, one); err != nil {
		return err
	}
	less := coreapply.ConfigMap("c", w.namespace).WithData(map[string]string{"a": "1"})
	after, err := configMaps.Apply(w, less, one)
	if err != nil {
		return err
	}
	status := appsapply.Deployment("web", w.namespace).
		WithStatus(appsapply.DeploymentStatus().WithReadyReplicas(0).WithObservedGeneration(1))
	if _, err := deployments.ApplyStatus(w, status, metav1.ApplyOptions{FieldManager: "status"}); err != nil {
		return err
	}
	return first(
		expect("conflicts", len(causes), 1),
		expect("cause", causes[0].Field, `.spec.template.spec.containers[name="main"].image`),
		expect("replicas", *updated.Spec.Replicas, 7),
		expect("extracted image", *extracted.Spec.Template.Spec.Containers[0].Image, "fake:3"),
		expect("extracted replicas", extracted.Spec.Replicas, nil),
		expect("keys left", len(after.Data), 1),
	)
}
