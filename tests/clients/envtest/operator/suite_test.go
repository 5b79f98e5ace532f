package envtest

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"go.uber.org/zap/zapcore"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	v1 "homeostat.dev/tests/clients/envtest/api/v1"
)

func TestMain(m *testing.M) {
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr), zap.Level(zapcore.FatalLevel)))
	os.Exit(m.Run())
}

// newScheme knows the built-in kinds and the given versions of ours.
func newScheme(t *testing.T, versions ...func(*runtime.Scheme) error) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range append([]func(*runtime.Scheme) error{clientgoscheme.AddToScheme}, versions...) {
		must(t, add(scheme))
	}
	return scheme
}

// start starts an environment that ends with the test.
func start(t *testing.T, env *envtest.Environment) *rest.Config {
	t.Helper()
	config, err := timedStart(env)
	must(t, err)
	t.Cleanup(func() { stop(t, env) })
	return config
}

// timedStart writes a line that whoever runs this reads.
func timedStart(env *envtest.Environment) (*rest.Config, error) {
	begun := time.Now()
	config, err := env.Start()
	fmt.Printf("TIME start %d ms\n", time.Since(begun).Milliseconds())
	return config, err
}

func stop(t *testing.T, env *envtest.Environment) {
	t.Helper()
	begun := time.Now()
	if err := env.Stop(); err != nil {
		t.Errorf("stopping: %v", err)
		return
	}
	fmt.Printf("TIME stop %d ms\n", time.Since(begun).Milliseconds())
}

func newClient(t *testing.T, config *rest.Config, scheme *runtime.Scheme) client.WithWatch {
	t.Helper()
	c, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	must(t, err)
	return c
}

// startManager runs the operator until the test ends.
func startManager(t *testing.T, env *envtest.Environment, scheme *runtime.Scheme, setups ...func(ctrl.Manager) error) ctrl.Manager {
	t.Helper()
	options := ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}}
	port := env.WebhookInstallOptions.LocalServingPort
	hasWebhooks := len(env.WebhookInstallOptions.Paths) > 0
	if hasWebhooks {
		options.WebhookServer = webhook.NewServer(webhook.Options{
			Host:    env.WebhookInstallOptions.LocalServingHost,
			Port:    port,
			CertDir: env.WebhookInstallOptions.LocalServingCertDir,
		})
	}
	mgr, err := ctrl.NewManager(env.Config, options)
	must(t, err)
	for _, setup := range setups {
		must(t, setup(mgr))
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the manager ended with: %v", err)
		}
	})
	if hasWebhooks {
		address := net.JoinHostPort(env.WebhookInstallOptions.LocalServingHost, strconv.Itoa(port))
		eventually(t, "the webhook server listens", func() error {
			connection, err := net.DialTimeout("tcp", address, time.Second)
			if err != nil {
				return err
			}
			return connection.Close()
		})
	}
	return mgr
}

func widget(name string, size int32) *v1.Widget {
	return &v1.Widget{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Spec: v1.WidgetSpec{Size: size}}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Data: map[string]string{"name": name}}
}

func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not in time: %v", what, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
