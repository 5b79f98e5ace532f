import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the tests of a Java operator do: servers one after another, informers, refusals. */
public class Suite {
  public static void main(String[] arguments) throws Exception {
    for (int round = 0; round < 3; round++) {
      long begun = System.currentTimeMillis();
      KubeAPIServer server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
          .withTestDir(arguments[0])
          .withOfflineMode(true)
          .withUpdateKubeConfig(false)
          .withWaitForEtcdHealthCheckOnStartup(true)
          .withStartupTimeout(120_000)
          .build());
      server.start();
      System.out.println("TIME start " + (System.currentTimeMillis() - begun) + " ms");
      Config config = Config.fromKubeconfig(server.getKubeConfigYaml());
      try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
        use(client);
      }
      begun = System.currentTimeMillis();
      server.stop();
      System.out.println("TIME stop " + (System.currentTimeMillis() - begun) + " ms");
    }
    System.exit(0);
  }

  private static void use(KubernetesClient client) throws InterruptedException {
    CountDownLatch seen = new CountDownLatch(1);
    client.configMaps().inNamespace("default").inform(new ResourceEventHandler<>() {
      @Override
      public void onAdd(ConfigMap added) {
        if (added.getMetadata().getName().equals("seen")) seen.countDown();
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap after) {}

      @Override
      public void onDelete(ConfigMap deleted, boolean unknown) {}
    });
    ConfigMap fresh = new ConfigMapBuilder()
        .withNewMetadata().withName("seen").withNamespace("default").endMetadata()
        .addToData("a", "b").build();
    // A new server is empty: this is no name that is taken.
    client.resource(fresh).create();
    check(seen.await(30, TimeUnit.SECONDS), "the informer saw the ConfigMap");
    ConfigMap applied = client.resource(new ConfigMapBuilder()
        .withNewMetadata().withName("seen").withNamespace("default").endMetadata()
        .addToData("c", "d").build()).fieldManager("suite").serverSideApply();
    check(applied.getData().size() == 2, "apply merged " + applied.getData());
    Pod pod = client.resource(new PodBuilder()
        .withNewMetadata().withName("bare").withNamespace("default").endMetadata()
        .withNewSpec().addNewContainer().withName("c").withImage("i").endContainer().endSpec()
        .build()).create();
    check(pod.getSpec().getServiceAccountName() == null, "the plugin ServiceAccount is off");
    try {
      client.resource(fresh).create();
      check(false, "the name was taken");
    } catch (KubernetesClientException error) {
      check(error.getCode() == 409, "expected a 409, got " + error.getCode());
    }
  }

  private static void check(boolean isSo, String what) {
    if (isSo) return;
    System.out.println("FAILED " + what);
    System.exit(1);
  }
}
