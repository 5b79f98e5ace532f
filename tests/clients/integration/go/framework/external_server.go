package framework

import (
	"net"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/test/external"
	client "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// Starts a program with the flags that come nearest to the options of a server inside the process. What a
// test changes behind the options (TestServerSetup.ModifyServerConfig) has no flag: such tests fail.
func startExternalServer(t testing.TB, folder string, opts *options.ServerRunOptions, tearDown TearDownFunc) (client.Interface, *rest.Config, TearDownFunc) {
	listener := opts.SecureServing.Listener
	_ = listener.Close()
	config, stop, err := external.Start(external.Server{
		Folder: folder,
		Port:   listener.Addr().(*net.TCPAddr).Port,
		Flags:  flagsOf(opts),
	})
	if err != nil {
		t.Fatal(err)
	}
	clients, err := client.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return clients, config, func() {
		stop()
		tearDown()
	}
}

func flagsOf(opts *options.ServerRunOptions) []string {
	var flags []string
	add := func(name string, values ...string) {
		if value := strings.Join(values, ","); value != "" {
			flags = append(flags, "--"+name+"="+value)
		}
	}
	add("service-cluster-ip-range", opts.ServiceClusterIPRanges)
	add("etcd-prefix", opts.Etcd.StorageConfig.Prefix)
	add("authorization-mode", opts.Authorization.Modes...)
	if file := opts.Authorization.WebhookConfigFile; file != "" {
		add("authorization-webhook-config-file", file)
		add("authorization-webhook-version", opts.Authorization.WebhookVersion)
	}
	if webhook := opts.Authentication.WebHook; webhook != nil && webhook.ConfigFile != "" {
		add("authentication-token-webhook-config-file", webhook.ConfigFile)
		add("authentication-token-webhook-version", webhook.Version)
	}
	add("client-ca-file", opts.Authentication.ClientCert.ClientCA)
	add("api-audiences", opts.Authentication.APIAudiences...)
	for _, issuer := range opts.Authentication.ServiceAccounts.Issuers {
		add("service-account-issuer", issuer)
	}
	add("service-account-signing-key-file", opts.ServiceAccountSigningKeyFile)
	for _, file := range opts.Authentication.ServiceAccounts.KeyFiles {
		add("service-account-key-file", file)
	}
	if tokens := opts.Authentication.TokenFile; tokens != nil {
		add("token-auth-file", tokens.TokenFile)
	}
	admission := opts.Admission.GenericAdmission
	add("enable-admission-plugins", admission.EnablePlugins...)
	add("disable-admission-plugins", admission.DisablePlugins...)
	add("admission-control-config-file", admission.ConfigFile)
	for name, value := range opts.APIEnablement.RuntimeConfig {
		add("runtime-config", name+"="+value)
	}
	if ports := opts.ServiceNodePortRange; ports.Size > 0 {
		add("service-node-port-range", ports.String())
	}
	return flags
}
