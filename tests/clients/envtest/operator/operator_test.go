package envtest

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	v1 "homeostat.dev/tests/clients/envtest/api/v1"
	v2 "homeostat.dev/tests/clients/envtest/api/v2"
)

var crds = []string{filepath.Join("config", "crd")}

func TestDefinitionsAreInstalledAndTakenAway(t *testing.T) {
	scheme := newScheme(t, v1.AddToScheme, apiextensionsv1.AddToScheme)
	env := &envtest.Environment{Scheme: scheme, CRDDirectoryPaths: crds, ErrorIfCRDPathMissing: true}
	config := start(t, env)
	c := newClient(t, config, scheme)
	if len(env.CRDs) != 1 {
		t.Fatalf("got %d definitions", len(env.CRDs))
	}
	err := c.Create(ctx, widget("huge", 101))
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.size: Invalid value: 101: spec.size in body should be less than or equal to 100") {
		t.Errorf("got %v, expected what the schema says", err)
	}
	watching, err := c.Watch(ctx, &v1.WidgetList{}, client.InNamespace("default"))
	must(t, err)
	defer watching.Stop()
	must(t, c.Create(ctx, widget("fine", 3)))
	if event := <-watching.ResultChan(); event.Type != watch.Added || event.Object.(*v1.Widget).Spec.Size != 3 {
		t.Errorf("got event %+v", event)
	}
	// Without a webhook to convert, the other version is what it is by its name.
	var definition apiextensionsv1.CustomResourceDefinition
	must(t, c.Get(ctx, types.NamespacedName{Name: "widgets.suite.homeostat.dev"}, &definition))
	if definition.Spec.Conversion.Strategy != apiextensionsv1.NoneConverter {
		t.Errorf("got conversion %s", definition.Spec.Conversion.Strategy)
	}
	must(t, envtest.UninstallCRDs(config, env.CRDInstallOptions))
	eventually(t, "the kind is gone", func() error {
		err := c.List(ctx, &v1.WidgetList{})
		if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
			return nil
		}
		return fmt.Errorf("got %v", err)
	})
}

func TestTheControllerDoesItsWork(t *testing.T) {
	scheme := newScheme(t, v1.AddToScheme)
	env := &envtest.Environment{Scheme: scheme, CRDDirectoryPaths: crds, ErrorIfCRDPathMissing: true}
	c := newClient(t, start(t, env), scheme)
	mgr := startManager(t, env, scheme, func(mgr ctrl.Manager) error {
		return (&WidgetReconciler{Client: mgr.GetClient()}).SetupWithManager(mgr)
	})

	const count = 20
	for i := range count {
		must(t, c.Create(ctx, widget(fmt.Sprintf("w-%d", i), int32(i+1))))
	}
	for i := range count {
		name := fmt.Sprintf("w-%d", i)
		eventually(t, name+" is ready", func() error {
			var found v1.Widget
			if err := c.Get(ctx, types.NamespacedName{Namespace: "default", Name: name}, &found); err != nil {
				return err
			}
			if !meta.IsStatusConditionTrue(found.Status.Conditions, "Ready") {
				return errors.New("not ready")
			}
			return nil
		})
	}
	var config corev1.ConfigMap
	key := types.NamespacedName{Namespace: "default", Name: "w-4-config"}
	must(t, c.Get(ctx, key, &config))
	if config.Data["size"] != "5" || len(config.OwnerReferences) != 1 || !*config.OwnerReferences[0].Controller {
		t.Errorf("got %+v", config)
	}
	// What somebody takes away comes back.
	must(t, c.Delete(ctx, &config))
	eventually(t, "the ConfigMap is written again", func() error {
		var again corev1.ConfigMap
		if err := c.Get(ctx, key, &again); err != nil {
			return err
		}
		if again.UID == config.UID {
			return errors.New("still the old one")
		}
		return nil
	})
	must(t, c.Delete(ctx, widget("w-4", 5)))
	eventually(t, "the widget goes after its ConfigMap", func() error {
		if err := c.Get(ctx, types.NamespacedName{Namespace: "default", Name: "w-4"}, &v1.Widget{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("got %v", err)
		}
		return nil
	})
	if err := c.Get(ctx, key, &config); !apierrors.IsNotFound(err) {
		t.Errorf("got %v, expected that the ConfigMap is gone", err)
	}
	// The manager's cache says the same as the server.
	eventually(t, "the cache follows", func() error {
		var cached, live v1.WidgetList
		if err := mgr.GetClient().List(ctx, &cached); err != nil {
			return err
		}
		if err := c.List(ctx, &live); err != nil {
			return err
		}
		if len(cached.Items) != count-1 || len(live.Items) != count-1 {
			return fmt.Errorf("got %d and %d", len(cached.Items), len(live.Items))
		}
		return nil
	})
}

func TestWebhooksAreInstalledAndAsked(t *testing.T) {
	scheme := newScheme(t, v1.AddToScheme, v2.AddToScheme)
	env := &envtest.Environment{
		Scheme:                scheme,
		CRDDirectoryPaths:     crds,
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{filepath.Join("config", "webhook")}},
	}
	config := start(t, env)
	startManager(t, env, scheme, setupWebhooks)
	warnings := &kept{}
	watched := rest.CopyConfig(config)
	watched.WarningHandler = warnings
	c := newClient(t, watched, scheme)

	created := widget("plain", 3)
	must(t, c.Create(ctx, created))
	if created.Spec.Color != "grey" {
		t.Errorf("the default is missing: %+v", created.Spec)
	}
	invisible := widget("ghost", 3)
	invisible.Spec.Color = "invisible"
	err := c.Create(ctx, invisible)
	if want := `admission webhook "rules.suite.homeostat.dev" denied the request: a widget has to be visible`; err == nil || err.Error() != want || !apierrors.IsForbidden(err) {
		t.Errorf("got %v, expected %s", err, want)
	}
	created.Spec.Size = 2
	if err := c.Update(ctx, created); err == nil || !strings.Contains(err.Error(), "a widget cannot shrink from 3 to 2") {
		t.Errorf("got %v", err)
	}
	must(t, c.Create(ctx, widget("large", 60), client.DryRunAll))
	if got := warnings.all(); !reflect.DeepEqual(got, []string{"size 60 is large"}) {
		t.Errorf("got warnings %q", got)
	}
	must(t, c.Create(ctx, widget("keep", 1)))
	if err := c.Delete(ctx, widget("keep", 1)); !apierrors.IsForbidden(err) {
		t.Errorf("got %v, expected a 403", err)
	}
	if err := c.DeleteAllOf(ctx, &v1.Widget{}, client.InNamespace("default"), client.MatchingFields{"metadata.name": "plain"}); err != nil {
		t.Errorf("deleting a collection: %v", err)
	}

	converted := &v2.Widget{}
	must(t, c.Get(ctx, types.NamespacedName{Namespace: "default", Name: "keep"}, converted))
	if converted.Spec.SizeText != "1" || converted.Spec.Color != "grey" {
		t.Errorf("got %+v as v2", converted.Spec)
	}
	fresh := &v2.Widget{ObjectMeta: metav1.ObjectMeta{Name: "fresh", Namespace: "default"}, Spec: v2.WidgetSpec{SizeText: "7"}}
	must(t, c.Create(ctx, fresh))
	asV1 := &v1.Widget{}
	must(t, c.Get(ctx, types.NamespacedName{Namespace: "default", Name: "fresh"}, asV1))
	// The webhooks are for v1 alone, and match v2 too: the request is converted for them.
	if asV1.Spec.Size != 7 || asV1.Spec.Color != "grey" {
		t.Errorf("got %+v as v1", asV1.Spec)
	}
	wrong := &v2.Widget{ObjectMeta: metav1.ObjectMeta{Name: "wrong", Namespace: "default"}, Spec: v2.WidgetSpec{SizeText: "seven"}}
	if err := c.Create(ctx, wrong); err == nil || !strings.Contains(err.Error(), `sizeText "seven" is no number`) {
		t.Errorf("got %v, expected what the conversion says", err)
	}
}

type kept struct {
	mutex sync.Mutex
	texts []string
}

func (k *kept) HandleWarningHeader(_ int, _ string, text string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.texts = append(k.texts, text)
}

func (k *kept) all() []string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return append([]string(nil), k.texts...)
}
