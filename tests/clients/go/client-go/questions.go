package main

import (
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientdiscovery "k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/utils/ptr"
)

// discovery learns what is served, by the aggregated and by the old way, and the schemas of it.
func discovery(w *world) error {
	if err := w.defineGadgets(); err != nil {
		return err
	}
	client := clientdiscovery.NewDiscoveryClientForConfigOrDie(w.config)
	version, err := client.ServerVersion()
	if err != nil {
		return err
	}
	groups, resources, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	legacy := clientdiscovery.NewDiscoveryClientForConfigOrDie(w.config)
	legacy.UseLegacyDiscovery = true
	oldGroups, oldResources, err := legacy.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: gadgets.Group, Kind: "Gadget"})
	if err != nil {
		return err
	}
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	for _, path := range []string{"api/v1", "apis/apps/v1", "apis/client-go.example.com/v1"} {
		document, ok := paths[path]
		if !ok {
			return fmt.Errorf("there is no schema of %s", path)
		}
		for _, kind := range []string{"application/json", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"} {
			if text, err := document.Schema(kind); err != nil || len(text) < 1000 {
				return fmt.Errorf("schema of %s as %s: %d bytes, %v", path, kind, len(text), err)
			}
		}
	}
	old, err := client.OpenAPISchema()
	if err != nil {
		return err
	}
	return first(
		expect("minor version", version.Minor, "36"),
		expect("groups", len(oldGroups), len(groups)),
		expect("group versions", len(oldResources), len(resources)),
		expect("gadgets", mapping.Resource.Resource, "gadgets"),
		expect("swagger", old.Swagger, "2.0"),
	)
}

// subresources scales, binds, evicts, asks for tokens and writes status.
func subresources(w *world) error {
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	if _, err := deployments.Create(w, deployment("web"), metav1.CreateOptions{}); err != nil {
		return err
	}
	scale := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: w.namespace},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 9},
	}
	scaled, err := deployments.UpdateScale(w, "web", scale, metav1.UpdateOptions{})
	if err != nil {
		return fmt.Errorf("scale: %w", err)
	}
	pods := w.typed.CoreV1().Pods(w.namespace)
	made, err := pods.Create(w, pod("one"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	binding := &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "one"},
		Target:     corev1.ObjectReference{Kind: "Node", Name: "nowhere"},
	}
	if err := pods.Bind(w, binding, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	made, err = pods.Get(w, "one", metav1.GetOptions{})
	if err != nil {
		return err
	}
	made.Status.Phase = corev1.PodRunning
	if _, err := pods.UpdateStatus(w, made, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	token, err := w.typed.CoreV1().ServiceAccounts(w.namespace).CreateToken(w, "default",
		&authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: ptr.To[int64](600)}},
		metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	eviction := &policyv1.Eviction{
		ObjectMeta:    metav1.ObjectMeta{Name: "one", Namespace: w.namespace},
		DeleteOptions: &metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)},
	}
	if err := pods.EvictV1(w, eviction); err != nil {
		return fmt.Errorf("evict: %w", err)
	}
	_, gone := pods.Get(w, "one", metav1.GetOptions{})
	mine := rest.AnonymousClientConfig(w.config)
	mine.BearerToken = token.Status.Token
	account, err := kubernetes.NewForConfig(mine)
	if err != nil {
		return err
	}
	who, err := account.AuthenticationV1().SelfSubjectReviews().Create(w,
		&authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("who am I: %w", err)
	}
	_, forbidden := account.CoreV1().Secrets(w.namespace).List(w, metav1.ListOptions{})
	user := "system:serviceaccount:" + w.namespace + ":default"
	return first(
		expect("replicas", scaled.Spec.Replicas, 9),
		expect("node", made.Spec.NodeName, "nowhere"),
		expect("evicted", errors.IsNotFound(gone), true),
		expect("account", who.Status.UserInfo.Username, user),
		expect("secrets are forbidden", errors.IsForbidden(forbidden), true),
	)
}

// reviews asks who may what, also as somebody else.
func reviews(w *world) error {
	ask := func(user, verb string) (bool, error) {
		review, err := w.typed.AuthorizationV1().SubjectAccessReviews().Create(w, &authorizationv1.SubjectAccessReview{
			Spec: authorizationv1.SubjectAccessReviewSpec{
				User: user,
				ResourceAttributes: &authorizationv1.ResourceAttributes{
					Namespace: w.namespace, Verb: verb, Resource: "pods",
				},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			return false, err
		}
		return review.Status.Allowed, nil
	}
	scheduler, err := ask("system:kube-scheduler", "list")
	if err != nil {
		return err
	}
	nobody, err := ask("nobody", "list")
	if err != nil {
		return err
	}
	other := rest.CopyConfig(w.config)
	other.Impersonate = rest.ImpersonationConfig{UserName: "nobody"}
	client, err := kubernetes.NewForConfig(other)
	if err != nil {
		return err
	}
	_, forbidden := client.CoreV1().Pods(w.namespace).List(w, metav1.ListOptions{})
	return first(
		expect("the scheduler may", scheduler, true),
		expect("nobody may", nobody, false),
		expect("as nobody", errors.IsForbidden(forbidden), true),
	)
}
