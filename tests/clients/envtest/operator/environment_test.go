package envtest

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

var ctx = context.Background()

func TestUsersHaveTheRightsOfTheirRoles(t *testing.T) {
	env := &envtest.Environment{}
	scheme := newScheme(t)
	admin := newClient(t, start(t, env), scheme)
	must(t, admin.Create(ctx, &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: "reader", Namespace: "default"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get", "list", "watch"}}},
	}))
	must(t, admin.Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "readers", Namespace: "default"},
		RoleRef:    rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "Role", Name: "reader"},
		Subjects:   []rbacv1.Subject{{APIGroup: "rbac.authorization.k8s.io", Kind: "Group", Name: "readers"}},
	}))
	must(t, admin.Create(ctx, configMap("seen")))

	reader, err := env.AddUser(envtest.User{Name: "rita", Groups: []string{"readers"}}, &rest.Config{QPS: 100})
	must(t, err)
	stranger, err := env.AddUser(envtest.User{Name: "stan"}, nil)
	must(t, err)
	asReader := newClient(t, reader.Config(), scheme)
	asStranger := newClient(t, stranger.Config(), scheme)

	key := types.NamespacedName{Namespace: "default", Name: "seen"}
	eventually(t, "the binding counts", func() error { return asReader.Get(ctx, key, &corev1.ConfigMap{}) })
	err = asReader.Create(ctx, configMap("refused"))
	if want := `configmaps is forbidden: User "rita" cannot create resource "configmaps" in API group "" in the namespace "default"`; err == nil || err.Error() != want {
		t.Errorf("got %v, expected %s", err, want)
	}
	if err := asReader.Get(ctx, types.NamespacedName{Namespace: "kube-system", Name: "seen"}, &corev1.ConfigMap{}); !apierrors.IsForbidden(err) {
		t.Errorf("got %v in another namespace, expected a 403", err)
	}
	if err := asStranger.Get(ctx, key, &corev1.ConfigMap{}); !apierrors.IsForbidden(err) {
		t.Errorf("got %v for a stranger, expected a 403", err)
	}
	clientset, err := kubernetes.NewForConfig(stranger.Config())
	must(t, err)
	review, err := clientset.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	must(t, err)
	if got := review.Status.UserInfo; got.Username != "stan" || strings.Join(got.Groups, " ") != "system:authenticated" {
		t.Errorf("got user %+v", got)
	}
	unknown := rest.AnonymousClientConfig(env.Config)
	unknown.BearerToken = "made-up"
	if _, err := client.New(unknown, client.Options{}); err != nil && !apierrors.IsUnauthorized(err) {
		t.Errorf("got %v, expected a 401", err)
	}

	kubectl, err := reader.Kubectl()
	must(t, err)
	if _, err := exec.LookPath(kubectl.Path); kubectl.Path == "" || err != nil {
		t.Logf("no kubectl at %q", kubectl.Path)
		return
	}
	out, _, err := kubectl.Run("get", "configmap", "seen", "-o", "jsonpath={.data.name}")
	must(t, err)
	text := make([]byte, 100)
	n, _ := out.Read(text)
	if string(text[:n]) != "seen" {
		t.Errorf("kubectl printed %q", text[:n])
	}
}

func TestEnvironmentsSideBySideAreSeparate(t *testing.T) {
	scheme := newScheme(t)
	const count = 3
	environments := make([]*envtest.Environment, count)
	clients := make([]client.Client, count)
	var wait sync.WaitGroup
	errs := make([]error, count)
	for i := range environments {
		environments[i] = &envtest.Environment{}
		wait.Go(func() { _, errs[i] = timedStart(environments[i]) })
	}
	wait.Wait()
	for i, env := range environments {
		must(t, errs[i])
		t.Cleanup(func() { stop(t, env) })
		clients[i] = newClient(t, env.Config, scheme)
		must(t, clients[i].Create(ctx, configMap(fmt.Sprintf("of-%d", i))))
	}
	for i, c := range clients {
		var list corev1.ConfigMapList
		must(t, c.List(ctx, &list, client.InNamespace("default")))
		names := []string{}
		for _, item := range list.Items {
			if item.Name != "kube-root-ca.crt" {
				names = append(names, item.Name)
			}
		}
		if want := fmt.Sprintf("of-%d", i); strings.Join(names, " ") != want {
			t.Errorf("environment %d has %v, expected %s alone", i, names, want)
		}
	}
	other, err := environments[1].AddUser(envtest.User{Name: "eve", Groups: []string{"system:masters"}}, nil)
	must(t, err)
	stolen := rest.CopyConfig(other.Config())
	stolen.Host, stolen.CAData = environments[0].Config.Host, environments[0].Config.CAData
	clientset, err := kubernetes.NewForConfig(stolen)
	must(t, err)
	if _, err := clientset.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("a certificate of another environment got %v, expected a 401", err)
	}
}

func TestAnEnvironmentStartsAgainOnItsPorts(t *testing.T) {
	scheme := newScheme(t)
	env := &envtest.Environment{}
	for round := range 3 {
		config, err := timedStart(env)
		must(t, err)
		host := config.Host
		c := newClient(t, config, scheme)
		// Data of a temporary directory go with it.
		must(t, c.Create(ctx, configMap("once")))
		port := env.ControlPlane.APIServer.SecureServing.Port
		if parsed, _ := url.Parse(host); parsed.Port() != port {
			t.Errorf("round %d: host %s, port %s", round, host, port)
		}
		stop(t, env)
		if again := env.ControlPlane.APIServer.SecureServing.Port; again != port {
			t.Errorf("the port changed from %s to %s", port, again)
		}
		env.Config, env.KubeConfig = nil, nil
	}
}

func TestAServerStartedAgainFindsItsObjects(t *testing.T) {
	scheme := newScheme(t)
	env := &envtest.Environment{}
	env.ControlPlane.Etcd = &envtest.Etcd{DataDir: t.TempDir()}
	first := newClient(t, start(t, env), scheme)
	created := configMap("kept")
	must(t, first.Create(ctx, created))

	server := env.ControlPlane.APIServer
	must(t, server.Stop())
	must(t, server.Start())
	checkKept(t, env, created.UID)

	// And with an etcd on the same data.
	must(t, server.Stop())
	must(t, env.ControlPlane.Etcd.Stop())
	must(t, env.ControlPlane.Etcd.Start())
	must(t, server.Start())
	checkKept(t, env, created.UID)
}

// checkKept asks as a new user: the server's authority is another than before.
func checkKept(t *testing.T, env *envtest.Environment, uid types.UID) {
	t.Helper()
	admin, err := env.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, nil)
	must(t, err)
	c := newClient(t, admin.Config(), newScheme(t))
	var found corev1.ConfigMap
	must(t, c.Get(ctx, types.NamespacedName{Namespace: "default", Name: "kept"}, &found))
	if found.UID != uid {
		t.Errorf("got UID %s, expected %s", found.UID, uid)
	}
	found.Data["round"] = "again"
	must(t, c.Update(ctx, &found))
}

func TestServiceAccountTokensAreBelieved(t *testing.T) {
	env := &envtest.Environment{}
	admin, err := kubernetes.NewForConfig(start(t, env))
	must(t, err)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}
	_, err = admin.CoreV1().ServiceAccounts("default").Create(ctx, account, metav1.CreateOptions{})
	must(t, err)
	token, err := admin.CoreV1().ServiceAccounts("default").CreateToken(ctx, "robot", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	must(t, err)
	config := rest.AnonymousClientConfig(env.Config)
	config.BearerToken = token.Status.Token
	robot, err := kubernetes.NewForConfig(config)
	must(t, err)
	review, err := robot.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	must(t, err)
	if got := review.Status.UserInfo.Username; got != "system:serviceaccount:default:robot" {
		t.Errorf("the token is of %s", got)
	}
	must(t, admin.CoreV1().ServiceAccounts("default").Delete(ctx, "robot", metav1.DeleteOptions{}))
	eventually(t, "the token of a deleted account is refused", func() error {
		_, err := robot.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if apierrors.IsUnauthorized(err) {
			return nil
		}
		return fmt.Errorf("got %v", err)
	})
}

func TestPluginsAreSwitchedOffAsTold(t *testing.T) {
	pod := func() *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "privileged", Namespace: "default"},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{
				Name: "c", Image: "i", SecurityContext: &corev1.SecurityContext{Privileged: new(true)},
			}}},
		}
	}
	// envtest switches ServiceAccount off by itself: no account is needed.
	env := &envtest.Environment{}
	env.ControlPlane.GetAPIServer().Configure().
		Append("disable-admission-plugins", "PodSecurity").
		Set("advertise-address", "127.0.0.1").
		Append("v", "1")
	c := newClient(t, start(t, env), newScheme(t))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: "strict", Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"},
	}}
	must(t, c.Create(ctx, namespace))
	created := pod()
	created.Namespace = "strict"
	must(t, c.Create(ctx, created))
	if created.Spec.ServiceAccountName != "" {
		t.Errorf("the plugin ServiceAccount set %q", created.Spec.ServiceAccountName)
	}
	if len(created.Spec.Tolerations) != 2 {
		t.Errorf("the plugin DefaultTolerationSeconds is on: expected 2 tolerations, got %v", created.Spec.Tolerations)
	}

	strict := &envtest.Environment{}
	strict.ControlPlane.GetAPIServer().Configure().Set("disable-admission-plugins", "DefaultTolerationSeconds")
	c = newClient(t, start(t, strict), newScheme(t))
	named := func() *corev1.Pod {
		named := pod()
		named.Spec.ServiceAccountName = "robot"
		return named
	}
	if err := c.Create(ctx, named()); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), `serviceaccount "robot" not found`) {
		t.Errorf("got %v, expected that the account is missing", err)
	}
	must(t, c.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot", Namespace: "default"}}))
	created = named()
	eventually(t, "the pod of an account", func() error { return c.Create(ctx, created) })
	if len(created.Spec.Volumes) != 1 || len(created.Spec.Tolerations) != 0 {
		t.Errorf("got volumes %v and tolerations %v", created.Spec.Volumes, created.Spec.Tolerations)
	}
}

// What nobody who has only etcd and kube-apiserver gets: no controller finishes these.
func TestNoControllerRuns(t *testing.T) {
	env := &envtest.Environment{}
	c := newClient(t, start(t, env), newScheme(t))
	must(t, c.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "stuck"}}))
	must(t, c.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "stuck"}}))
	var found corev1.Namespace
	must(t, c.Get(ctx, types.NamespacedName{Name: "stuck"}, &found))
	if found.Status.Phase != corev1.NamespaceTerminating {
		t.Errorf("got phase %s", found.Status.Phase)
	}
	late := configMap("late")
	late.Namespace = "stuck"
	if err := c.Create(ctx, late); !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		t.Errorf("got %v, expected that the namespace is being terminated", err)
	}
}
