package external

import (
	"context"
	"os"
	"path"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"k8s.io/client-go/kubernetes"
)

const (
	// The one that servers are given; the tests know this name.
	etcdOfServers = "KUBE_INTEGRATION_ETCD_URL"
	// A real one, for tests that open a client: most of them do nothing with it.
	etcdOfClients = "TEST_CLIENTS_ETCD_URL"
)

// EtcdOfClients is where clients of the tests go: what servers use may be no etcd at all, and then
// connecting would wait forever.
func EtcdOfClients(servers []string) []string {
	if url := os.Getenv(etcdOfClients); url != "" {
		return []string{url}
	}
	return servers
}

// KeepsObjectsInEtcd is whether clients of etcd see what the server writes.
func KeepsObjectsInEtcd() bool {
	return os.Getenv(etcdOfClients) == os.Getenv(etcdOfServers)
}

// PutWebhooks writes a webhook configuration in version v1beta1 to etcd, as there is no such version in the
// API any more, or else creates the same in version v1.
func PutWebhooks(ctx context.Context, etcd *clientv3.Client, client kubernetes.Interface, key string, object []byte) error {
	if KeepsObjectsInEtcd() {
		_, err := etcd.Put(ctx, key, string(object))
		return err
	}
	stable := strings.NewReplacer(
		"admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1",
		`"sideEffects":"Unknown"`, `"sideEffects":"None"`,
	).Replace(string(object))
	return client.AdmissionregistrationV1().RESTClient().Post().
		Resource(path.Base(path.Dir(key))).
		SetHeader("Content-Type", "application/json").
		Body([]byte(stable)).
		Do(context.Background()).
		Error()
}
