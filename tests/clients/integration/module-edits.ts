/**
 * What is changed in Kubernetes' modules, so that their tests use a server outside of their process. All of
 * it is insertions that end a function early or hand a value over to our Go code in `go/`: what stood there
 * stays, and so do the imports it needs.
 */
import type { TextEdit } from "./text-edit.ts";

export interface ModuleEdits {
  /** Our files: folder below `go/` -> folder of the module. */
  readonly added: Readonly<Record<string, string>>;
  /** By the file's path in the module. */
  readonly edited: Readonly<Record<string, readonly TextEdit[]>>;
}

const OURS = '"k8s.io/apiextensions-apiserver/test/external"';

/** The import of our package, before one that is there. */
function imported(before: string): TextEdit {
  return { find: `\t${before}\n`, before: `\t${OURS}\n` };
}

const CLIENTS_OF_ETCD: TextEdit = {
  find: "func GetEtcdClients(config storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {\n",
  after: "\tconfig.ServerList = external.EtcdOfClients(config.ServerList)\n",
};

export const extensionEdits: ModuleEdits = {
  added: { external: "test/external" },
  edited: {
    "pkg/cmd/server/testing/testserver.go": [
      imported('"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"'),
      {
        find: "\tconfig, err := s.Config()\n",
        before: `	{
		secure := s.RecommendedOptions.SecureServing
		_ = secure.Listener.Close()
		config, stop, err := external.Start(external.Server{
			Folder: result.TmpDir,
			Port:   secure.BindPort,
			Flags:  external.ExtensionFlags(customFlags),
		})
		if err != nil {
			return result, err
		}
		result.ClientConfig = config
		result.ServerOpts = s
		result.TearDownFn = func() {
			stop()
			tearDown()
		}
		return result, nil
	}
`,
      },
    ],
    "test/integration/fixtures/server.go": [
      imported('"k8s.io/apimachinery/pkg/runtime/schema"'),
      {
        find: "restOptions.StorageConfig.Transport.ServerList",
        before: "external.EtcdOfClients(",
        after: ")",
      },
    ],
    "test/integration/storage/objectreader.go": [
      imported('"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"'),
      CLIENTS_OF_ETCD,
    ],
    // Which version is in etcd cannot be waited for where there is none.
    "test/integration/conversion/conversion_test.go": [
      imported('"k8s.io/apimachinery/pkg/api/errors"'),
      {
        find: "\tif err := c.etcdObjectReader.WaitForStorageVersion(version, ",
        before: "\tif !external.KeepsObjectsInEtcd() {\n\t\treturn obj\n\t}\n",
      },
    ],
  },
};

export const kubernetesEdits: ModuleEdits = {
  added: { framework: "test/integration/framework" },
  edited: {
    "cmd/kube-apiserver/app/testing/testserver.go": [
      imported('"k8s.io/apimachinery/pkg/api/errors"'),
      CLIENTS_OF_ETCD,
      {
        find: "\tconfig, err := app.NewConfig(completedOptions)\n",
        before: `	{
		_ = s.SecureServing.Listener.Close()
		config, stop, err := external.Start(external.Server{
			Folder: result.TmpDir,
			Port:   s.SecureServing.BindPort,
			Flags: append([]string{
				"--service-cluster-ip-range=" + s.ServiceClusterIPRanges,
				"--client-ca-file=" + s.Authentication.ClientCert.ClientCA,
				"--service-account-issuer=" + s.Authentication.ServiceAccounts.Issuers[0],
				"--etcd-prefix=" + storageConfig.Prefix,
			}, customFlags...),
			Unready: instanceOptions.SkipHealthzCheck,
		})
		if err != nil {
			return result, err
		}
		etcdClient, _, err := GetEtcdClients(storageConfig.Transport)
		if err != nil {
			stop()
			return result, err
		}
		result.ClientConfig = config
		result.ServerOpts = s
		result.EtcdClient = etcdClient
		result.EtcdStoragePrefix = storageConfig.Prefix
		result.TearDownFn = func() {
			stop()
			tearDown()
			_ = etcdClient.Close()
		}
		return result, nil
	}
`,
      },
    ],
    "test/integration/framework/test_server.go": [
      {
        find: "\tgenericConfig, versionedInformers, storageFactory, err := ",
        before: "\t{\n\t\treturn startExternalServer(t, certDir, opts, tearDownFn)\n\t}\n",
      },
    ],
    "test/integration/apiserver/admissionwebhook/admission_test.go": [
      imported('apierrors "k8s.io/apimachinery/pkg/api/errors"'),
      {
        find: "\tif _, err := etcdClient.Put(ctx, key, string(val)); err != nil {\n",
        times: 2,
        instead:
          "\tif err := external.PutWebhooks(ctx, etcdClient, client, key, val); err != nil {\n",
      },
    ],
  },
};
