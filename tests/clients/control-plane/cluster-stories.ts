import { realClock } from "@homeostat/concurrency";
import { timeOfMilliseconds } from "@homeostat/object-model";
import * as manifests from "./manifests.ts";
import { at, type Field, has, type StoryPlace, textAt } from "./story-place.ts";

/** A policy is type checked by what the server says of its kinds. */
export async function policyStory(place: StoryPlace): Promise<void> {
  const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  const name = place.namespace;
  const policy = (expression: string): object => ({
    metadata: { name },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
        resourceRules: [
          {
            apiGroups: ["apps"],
            apiVersions: ["v1"],
            operations: ["*"],
            resources: ["deployments"],
          },
          {
            apiGroups: ["control.example.com"],
            apiVersions: ["v1"],
            operations: ["*"],
            resources: ["widgets"],
          },
        ],
      },
      validations: [{ expression }],
    },
  });
  const warnings = ({ status }: Record<string, Field>): Field[] | undefined =>
    has(status, "typeChecking")
      ? ((at(status, "typeChecking", "expressionWarnings") as Field[] | undefined) ?? [])
      : undefined;
  await place.create(policies, policy("object.spec.replicas > 'many'"));
  const checked = await place.until(`${policies}/${name}`, (seen) => warnings(seen)?.length === 1);
  const warning = JSON.stringify(checked["status"]);
  if (!warning.includes("found no matching overload for '_>_'")) {
    throw new Error(`the policy was checked as ${warning}`);
  }
  await place.delete(`${policies}/${name}`);
  await place.untilGone(`${policies}/${name}`);
  await place.create(policies, policy("object.metadata.name != 'x'"));
  await place.until(`${policies}/${name}`, (seen) => warnings(seen)?.length === 0);
  await place.delete(`${policies}/${name}`);
}

/** Tokens to join by are signed for all to see, until their time is over. */
export async function joiningStory(place: StoryPlace): Promise<void> {
  const id = `abc${place.namespace.split("-").at(-1)!.padStart(3, "0")}`;
  const secrets = "/api/v1/namespaces/kube-system/secrets";
  const info = "/api/v1/namespaces/kube-public/configmaps/cluster-info";
  const told = { metadata: { name: "cluster-info" }, data: { kubeconfig: "apiVersion: v1\n" } };
  await place.api.send("POST", "/api/v1/namespaces/kube-public/configmaps", { body: told });
  const now = realClock.now();
  await place.create(secrets, {
    metadata: { name: `bootstrap-token-${id}` },
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "token-id": id,
      "token-secret": "0123456789abcdef",
      "usage-bootstrap-signing": "true",
      expiration: timeOfMilliseconds(now + 10_000),
    },
  });
  await place.until(info, ({ data }) => has(data, `jws-kubeconfig-${id}`));
  await place.untilGone(`${secrets}/bootstrap-token-${id}`);
  await place.until(info, ({ data }) => !has(data, `jws-kubeconfig-${id}`));
}

/** Endpoints that somebody wrote by hand are mirrored. */
export async function mirroringStory(place: StoryPlace): Promise<void> {
  await place.create("services", manifests.service("by-hand", { selector: null }));
  await place.create("endpoints", {
    metadata: { name: "by-hand" },
    subsets: [{ addresses: [{ ip: "10.9.8.7" }], ports: [{ name: "web", port: 8080 }] }],
  });
  const mirrored = ({ metadata }: Record<string, Field>): boolean =>
    textAt(metadata, "labels", "endpointslice.kubernetes.io/managed-by") ===
    "endpointslicemirroring-controller.k8s.io";
  await place.untilCount("endpointslices", 1, mirrored);
  await place.delete("endpoints/by-hand");
  await place.untilCount("endpointslices", 0, mirrored);
}

/** Volumes that live as long as their pod, and replicas of the old kind. */
export async function podStory(place: StoryPlace): Promise<void> {
  const volume = `/api/v1/persistentvolumes/${place.namespace}`;
  await place.create(
    "/api/v1/persistentvolumes",
    manifests.volume(place.namespace, place.namespace),
  );
  const claim = {
    storageClassName: place.namespace,
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Mi" } },
  };
  await place.create("pods", {
    metadata: { name: "lone" },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "main", image: "fake:1" }],
      volumes: [{ name: "scratch", ephemeral: { volumeClaimTemplate: { spec: claim } } }],
    },
  });
  await place.until("pods/lone", ({ status }) => at(status, "phase") === "Running");
  await place.until(
    "persistentvolumeclaims/lone-scratch",
    ({ status }) => at(status, "phase") === "Bound",
  );
  await place.create("replicationcontrollers", {
    metadata: { name: "old" },
    spec: { replicas: 2, selector: { app: "old" }, template: manifests.podTemplate("old") },
  });
  await place.until(
    "replicationcontrollers/old",
    ({ status }) => at(status, "readyReplicas") === 2,
  );
  await place.delete("pods/lone");
  await place.untilGone("persistentvolumeclaims/lone-scratch");
  await place.delete(volume);
  await place.untilGone(volume);
}

/** A node that nobody keeps alive is found out, and what ran there goes with it. */
export async function lostNodeStory(place: StoryPlace): Promise<void> {
  const name = place.namespace;
  const node = `/api/v1/nodes/${name}`;
  await place.create("/api/v1/nodes", {
    metadata: { name, labels: { "kubernetes.io/os": "linux" } },
  });
  const at0 = timeOfMilliseconds(realClock.now());
  const ready = { type: "Ready", status: "True", lastHeartbeatTime: at0, lastTransitionTime: at0 };
  await place.patch(`${node}/status`, {
    status: { conditions: [{ ...ready, reason: "x", message: "x" }] },
  });
  await place.until(
    node,
    ({ spec, status }) =>
      JSON.stringify(at(spec, "taints") ?? null).includes("node.kubernetes.io/unreachable") &&
      JSON.stringify(at(status, "conditions") ?? null).includes("NodeStatusUnknown"),
  );
  await place.delete(node);
  await place.untilGone(node);
}

/** Claims for devices are made of their templates, and go with the pod. */
export async function deviceStory(place: StoryPlace): Promise<void> {
  const templates = `/apis/resource.k8s.io/v1/namespaces/${place.namespace}/resourceclaimtemplates`;
  const claims = `/apis/resource.k8s.io/v1/namespaces/${place.namespace}/resourceclaims`;
  const devices = {
    requests: [{ name: "one", exactly: { deviceClassName: "control.example.com" } }],
  };
  await place.create(templates, { metadata: { name: "device" }, spec: { spec: { devices } } });
  await place.create("pods", {
    metadata: { name: "lone" },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: "main", image: "fake:1", resources: { claims: [{ name: "device" }] } }],
      resourceClaims: [{ name: "device", resourceClaimTemplateName: "device" }],
    },
  });
  await place.untilCount(claims, 1);
  await place.until("pods/lone", ({ status }) => has(status, "resourceClaimStatuses"));
  await place.delete("pods/lone");
  await place.untilCount(claims, 0);
}
