import { realClock, sleep } from "@homeostat/concurrency";
import { EXIT_CODE } from "../../kubelet/pod-life.ts";
import * as manifests from "./manifests.ts";
import { at, type Field, type StoryPlace } from "./story-place.ts";

type Seen = Record<string, Field>;

const isRunning = (pod: Seen): boolean => at(pod, "status", "phase") === "Running";

/** The replicas wanted are there, of the newest template. */
function isRolledOut(replicas: number): (seen: Seen) => boolean {
  return ({ metadata, status }) =>
    at(status, "observedGeneration") === at(metadata, "generation") &&
    at(status, "updatedReplicas") === replicas &&
    at(status, "readyReplicas") === replicas &&
    at(status, "replicas") === replicas;
}

/** Addresses that are ready in the slices of a service. */
function readyAddresses(slices: readonly unknown[]): number {
  return slices
    .flatMap((slice) => (at(slice as Field, "endpoints") as Field[] | null | undefined) ?? [])
    .filter((endpoint) => at(endpoint, "conditions", "ready") === true).length;
}

async function untilAddresses(place: StoryPlace, name: string, wanted: number): Promise<void> {
  const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
  await place.until(
    `endpointslices?labelSelector=${selector}`,
    ({ items }) => readyAddresses(items as Field[]) === wanted,
  );
  await place.until(`endpoints/${name}`, ({ subsets }) =>
    wanted === 0
      ? subsets === undefined
      : ((at((subsets as Field[] | undefined)?.[0], "addresses") as Field[] | undefined)?.length ??
          0) === wanted,
  );
}

/** Rolls out, scales, rolls back, loses pods, and is seen by its service all along. */
export async function deploymentStory(place: StoryPlace): Promise<void> {
  await place.create("services", manifests.service("web"));
  await place.create("deployments", manifests.deployment("web", 3));
  await place.create("poddisruptionbudgets", {
    metadata: { name: "web" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
  });
  await place.until("deployments/web", isRolledOut(3));
  await untilAddresses(place, "web", 3);
  await place.until(
    "poddisruptionbudgets/web",
    ({ status }) => at(status, "disruptionsAllowed") === 2,
  );
  await place.patch("deployments/web/scale", { spec: { replicas: 5 } });
  await place.until("deployments/web", isRolledOut(5));
  await place.patch("deployments/web", {
    spec: { template: { metadata: { labels: { turn: "2" } } } },
  });
  await place.until("deployments/web", isRolledOut(5));
  await place.untilCount("replicasets", 2);
  const [first, second] = await place.list("pods?labelSelector=turn%3D2");
  await place.delete(`pods/${first!.metadata.name}`);
  await place.create(`pods/${second!.metadata.name}/eviction`, {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: second!.metadata.name },
  });
  await place.untilGone(`pods/${first!.metadata.name}`);
  await place.untilGone(`pods/${second!.metadata.name}`);
  await place.until("deployments/web", isRolledOut(5));
  await untilAddresses(place, "web", 5);
  await place.patch("deployments/web", { spec: { replicas: 0 } });
  await place.untilCount("pods", 0);
  await untilAddresses(place, "web", 0);
}

/** Foreground, background and orphans: what goes with an owner, and what stays. */
export async function collectionStory(place: StoryPlace): Promise<void> {
  await place.create("deployments", manifests.deployment("front", 2));
  await place.create("deployments", manifests.deployment("back", 2));
  await place.create("deployments", manifests.deployment("orphan", 2));
  await place.untilCount("pods", 6, isRunning);
  await place.delete("deployments/front", "Foreground");
  await place.delete("deployments/back", "Background");
  await place.delete("deployments/orphan", "Orphan");
  for (const name of ["front", "back", "orphan"]) await place.untilGone(`deployments/${name}`);
  await place.untilCount("pods", 2);
  await place.untilCount(
    "replicasets",
    1,
    ({ metadata }) => at(metadata, "ownerReferences") === undefined,
  );
  const owner = await place.create("widgets", widget("owner"));
  const ownerReferences = [
    {
      apiVersion: "control.example.com/v1",
      kind: "Widget",
      name: "owner",
      uid: owner.metadata.uid,
    },
  ];
  await place.create("configmaps", { metadata: { name: "owned", ownerReferences } });
  await place.create("widgets", widget("owned", { ownerReferences }));
  await place.delete("widgets/owner");
  await place.untilGone("configmaps/owned");
  await place.untilGone("widgets/owned");
  // Whose owner never was.
  const nobody = [
    { ...ownerReferences[0], name: "nobody", uid: "00000000-0000-0000-0000-000000000001" },
  ];
  await place.create("configmaps", { metadata: { name: "absent", ownerReferences: nobody } });
  await place.untilGone("configmaps/absent");
}

function widget(name: string, metadata: object = {}): object {
  return {
    apiVersion: "control.example.com/v1",
    kind: "Widget",
    metadata: { name, ...metadata },
    spec: { size: 1 },
  };
}

/** Grows one by one, with volumes that the binder finds, and shrinks from the end. */
export async function statefulStory(place: StoryPlace): Promise<void> {
  const storageClass = place.namespace;
  for (const number of [0, 1, 2]) {
    const body = manifests.volume(`${place.namespace}-${number}`, storageClass);
    await place.create("/api/v1/persistentvolumes", body);
  }
  await place.create("services", manifests.service("db", { clusterIP: "None" }));
  await place.create("statefulsets", manifests.statefulSet("db", 2, storageClass));
  await place.until("statefulsets/db", isRolledOut(2));
  await untilAddresses(place, "db", 2);
  await place.untilCount(
    "persistentvolumeclaims",
    2,
    ({ status }) => at(status, "phase") === "Bound",
  );
  await place.patch("statefulsets/db", { spec: { replicas: 3 } });
  await place.until("statefulsets/db", isRolledOut(3));
  await place.patch("statefulsets/db", {
    spec: { template: { metadata: { labels: { turn: "2" } } } },
  });
  await place.until(
    "statefulsets/db",
    (seen) =>
      isRolledOut(3)(seen) &&
      at(seen["status"], "currentRevision") === at(seen["status"], "updateRevision"),
  );
  await place.patch("statefulsets/db", { spec: { replicas: 1 } });
  await place.untilCount("pods", 1);
  await place.untilCount("persistentvolumeclaims", 1);
  await place.delete("statefulsets/db", "Foreground");
  await place.untilCount("persistentvolumeclaims", 0);
  for (const number of [0, 1, 2]) {
    const volume = `/api/v1/persistentvolumes/${place.namespace}-${number}`;
    await place.delete(volume);
    await place.untilGone(volume);
  }
}

/** One pod on each node, also after the template changed. */
export async function daemonStory(place: StoryPlace): Promise<void> {
  await place.create("daemonsets", manifests.daemonSet("agent"));
  const isEverywhere = ({ metadata, status }: Seen): boolean =>
    at(status, "observedGeneration") === at(metadata, "generation") &&
    at(status, "updatedNumberScheduled") === 2 &&
    at(status, "numberReady") === 2;
  await place.until("daemonsets/agent", isEverywhere);
  await place.patch("daemonsets/agent", {
    spec: { template: { metadata: { labels: { turn: "2" } } } },
  });
  await place.until("daemonsets/agent", isEverywhere);
  const [pod] = await place.list("pods");
  await place.delete(`pods/${pod!.metadata.name}`);
  await place.untilGone(`pods/${pod!.metadata.name}`);
  await place.until("daemonsets/agent", isEverywhere);
}

/** Completes, fails, is suspended, is indexed, is removed when its time is over; and by the clock. */
export async function jobStory(place: StoryPlace): Promise<void> {
  const ended =
    (type: string) =>
    (seen: Seen): boolean =>
      ((at(seen["status"], "conditions") as Field[] | undefined) ?? []).some(
        (each) => at(each, "type") === type && at(each, "status") === "True",
      );
  await place.create("cronjobs", {
    metadata: { name: "tick" },
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: at(manifests.job("tick") as Field, "spec") },
    },
  });
  await place.create("jobs", manifests.job("many", { completions: 4, parallelism: 2 }));
  await place.create("jobs", manifests.job("bad", { backoffLimit: 0 }, { [EXIT_CODE]: "3" }));
  await place.create(
    "jobs",
    manifests.job("indexed", { completions: 3, parallelism: 3, completionMode: "Indexed" }),
  );
  await place.create("jobs", manifests.job("short", { ttlSecondsAfterFinished: 1 }));
  await place.create("jobs", manifests.job("later", { suspend: true }));
  await place.until(
    "jobs/many",
    (seen) => ended("Complete")(seen) && at(seen["status"], "succeeded") === 4,
  );
  await place.until("jobs/bad", ended("Failed"));
  await place.until("jobs/indexed", ({ status }) => at(status, "completedIndexes") === "0-2");
  await place.untilGone("jobs/short");
  await place.until("jobs/later", ended("Suspended"));
  await place.patch("jobs/later", { spec: { suspend: false } });
  await place.until("jobs/later", ended("Complete"));
  await place.until(
    "cronjobs/tick",
    ({ status }) => at(status, "lastSuccessfulTime") !== undefined,
  );
  await place.delete("cronjobs/tick", "Foreground");
  await place.untilGone("cronjobs/tick");
}

/** A namespace goes with everything in it, whatever its finalizers wait for. */
export async function namespaceStory(place: StoryPlace): Promise<void> {
  await place.create("deployments", manifests.deployment("left", 2));
  await place.create("services", manifests.service("left"));
  await place.create("widgets", widget("left", { finalizers: ["control.example.com/wait"] }));
  await place.untilCount("pods", 2, isRunning);
  const path = `/api/v1/namespaces/${place.namespace}`;
  await place.delete(path);
  await place.until(path, ({ status }) =>
    ((at(status, "conditions") as Field[] | undefined) ?? []).some(
      (each) =>
        at(each, "type") === "NamespaceFinalizersRemaining" && at(each, "status") === "True",
    ),
  );
  await sleep(realClock, 1000);
  await place.patch("widgets/left", { metadata: { finalizers: null } });
  await place.untilGone(path);
}
