/** What default plugins make of pods: accounts and tokens, limits, priorities, tolerations, runtimes, places. */
import type { JsonObject } from "@homeostat/object-model";
import {
  as,
  del,
  edited,
  get,
  patch,
  post,
  put,
  type RequestOptions,
  type RequestStep,
  type Scenario,
  scenario,
  settle,
} from "../scenario.ts";

const image = "registry.example/app:1";
const container = { name: "main", image };

/** The account that a controller would make. */
const account = (more: JsonObject = {}): RequestStep =>
  post("serviceaccounts", { metadata: { name: "default" }, ...more });

const pod = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, ...metadata },
  spec: { containers: [container], ...spec },
});
const create = (
  name: string,
  spec: JsonObject = {},
  [metadata, options]: readonly [JsonObject, RequestOptions?] = [{}],
): RequestStep => post("pods", pod(name, spec, metadata), options);

const asking = (name: string, resources: JsonObject): JsonObject => ({ name, image, resources });
const range = (name: string, ...limits: JsonObject[]): RequestStep =>
  post("limitranges", { metadata: { name }, spec: { limits } });
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };

export const admissionPods: readonly Scenario[] = [
  scenario(
    "a pod gets the account and its token",
    account(),
    settle(),
    create("plain"),
    create("off", { automountServiceAccountToken: false }),
    create("mounted", {
      containers: [
        {
          ...container,
          volumeMounts: [
            { name: "own", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
          ],
        },
        { name: "second", image },
      ],
      initContainers: [{ name: "first", image }],
      volumes: [{ name: "own", emptyDir: {} }],
    }),
    create("present", {
      volumes: [{ name: "kube-api-access-mine", emptyDir: {} }],
    }),
    create("dry", {}, [{}, { query: { dryRun: "All" } }]),
    post("pods", { metadata: { generateName: "many-" }, spec: { containers: [container] } }),
    create("old-name", { serviceAccount: "default" }),
    patch("pods/plain", ["merge", { spec: { serviceAccountName: "other" } }]),
  ),
  scenario(
    "accounts that are not there, and what they bring along",
    account({ imagePullSecrets: [{ name: "pull" }], automountServiceAccountToken: false }),
    settle(),
    create("ghost", { serviceAccountName: "ghost" }),
    post("pods", {
      metadata: { generateName: "ghost-" },
      spec: { containers: [container], serviceAccountName: "ghost" },
    }),
    create("pulls"),
    create("own-pulls", { imagePullSecrets: [{ name: "mine" }] }),
    create("wants-token", { automountServiceAccountToken: true }),
  ),
  scenario(
    "an account may limit the secrets of its pods",
    account({
      metadata: {
        name: "default",
        annotations: { "kubernetes.io/enforce-mountable-secrets": "true" },
      },
      secrets: [{ name: "known" }],
      imagePullSecrets: [{ name: "pull" }],
    }),
    settle(),
    create("volume", { volumes: [{ name: "v", secret: { secretName: "other" } }] }),
    create("known-volume", { volumes: [{ name: "v", secret: { secretName: "known" } }] }),
    create("env", {
      containers: [
        {
          ...container,
          env: [{ name: "E", valueFrom: { secretKeyRef: { name: "other", key: "k" } } }],
        },
      ],
    }),
    create("env-from", {
      containers: [{ ...container, envFrom: [{ secretRef: { name: "other" } }] }],
    }),
    create("init", {
      initContainers: [{ name: "i", image, envFrom: [{ secretRef: { name: "other" } }] }],
    }),
    create("pull", { imagePullSecrets: [{ name: "pull" }, { name: "other" }] }),
    patch("pods/known-volume/ephemeralcontainers", [
      "strategic",
      {
        spec: {
          ephemeralContainers: [
            { name: "debug", image, envFrom: [{ secretRef: { name: "other" } }] },
          ],
        },
      },
    ]),
    patch("pods/known-volume/ephemeralcontainers", [
      "strategic",
      { spec: { ephemeralContainers: [{ name: "debug", image }] } },
    ]),
  ),
  scenario(
    "mirror pods are taken as they are",
    account(),
    settle(),
    create("mirror", { nodeName: "n" }, [mirror]),
    create("with-account", { nodeName: "n", serviceAccountName: "default" }, [mirror]),
    create("with-secret", { volumes: [{ name: "v", secret: { secretName: "s" } }] }, [mirror]),
    create("with-pull", { imagePullSecrets: [{ name: "s" }] }, [mirror]),
    create(
      "with-token",
      {
        volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }],
      },
      [mirror],
    ),
  ),
  scenario(
    "limit ranges set what is missing",
    account({ automountServiceAccountToken: false }),
    range("a", {
      type: "Container",
      default: { cpu: "500m", memory: "1Gi" },
      defaultRequest: { cpu: "100m" },
    }),
    settle(),
    create("empty"),
    create("partly", {
      containers: [
        asking("main", { limits: { cpu: "2" } }),
        asking("second", { requests: { memory: "5Mi" }, limits: { memory: "10Mi" } }),
      ],
      initContainers: [asking("first", {})],
    }),
    create("noted", {}, [{ annotations: { "kubernetes.io/limit-ranger": "mine" } }]),
    create("mirrored", { nodeName: "n" }, [mirror]),
    patch("pods/empty", ["merge", { metadata: { labels: { a: "b" } } }]),
  ),
  scenario(
    "limit ranges bound what is asked for",
    account({ automountServiceAccountToken: false }),
    range("a", { type: "Container", max: { cpu: "1" } }),
    settle(),
    create("none"),
    create("much", { containers: [asking("main", { limits: { cpu: "2" } })] }),
    create("request", { containers: [asking("main", { requests: { cpu: "500m" } })] }),
    create("good", { containers: [asking("main", { limits: { cpu: "900m" } })] }),
    post("pods", {
      metadata: { generateName: "much-" },
      spec: { containers: [asking("main", { limits: { cpu: "1001m" } })] },
    }),
    patch("pods/good/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { limits: { cpu: "3" } } }] } },
    ]),
    patch("pods/good/resize", [
      "strategic",
      {
        spec: {
          containers: [
            { name: "main", resources: { limits: { cpu: "1" }, requests: { cpu: "1" } } },
          ],
        },
      },
    ]),
  ),
  scenario(
    "least amounts, and how far limits may be from requests",
    account({ automountServiceAccountToken: false }),
    range("a", {
      type: "Container",
      min: { memory: "10Mi" },
      maxLimitRequestRatio: { memory: "2" },
    }),
    settle(),
    create("none"),
    create("little", { containers: [asking("main", { requests: { memory: "5Mi" } })] }),
    create("low-limit", {
      containers: [asking("main", { requests: { memory: "1Mi" }, limits: { memory: "1Mi" } })],
    }),
    create("no-request", { containers: [asking("main", { requests: { memory: "0" } })] }),
    create("twice", {
      containers: [asking("main", {}), asking("other", {})],
      initContainers: [asking("init", {})],
    }),
    create("wide", {
      containers: [asking("main", { requests: { memory: "20Mi" }, limits: { memory: "50Mi" } })],
    }),
    create("narrow", {
      containers: [asking("main", { requests: { memory: "20Mi" }, limits: { memory: "40Mi" } })],
    }),
  ),
  scenario(
    "limits of all containers together",
    account({ automountServiceAccountToken: false }),
    range("a", { type: "Pod", max: { memory: "100Mi" }, min: { memory: "20Mi" } }),
    settle(),
    create("none"),
    create("little", { containers: [asking("main", { requests: { memory: "5Mi" } })] }),
    create("sum", {
      containers: [
        asking("main", { requests: { memory: "60Mi" }, limits: { memory: "60Mi" } }),
        asking("more", { requests: { memory: "60Mi" }, limits: { memory: "60Mi" } }),
      ],
    }),
    create("init", {
      containers: [asking("main", { requests: { memory: "60Mi" }, limits: { memory: "60Mi" } })],
      initContainers: [
        {
          ...asking("side", { requests: { memory: "30Mi" }, limits: { memory: "30Mi" } }),
          restartPolicy: "Always",
        },
        asking("init", { requests: { memory: "80Mi" }, limits: { memory: "80Mi" } }),
      ],
    }),
    create("as-whole", {
      containers: [asking("main", { requests: { memory: "60Mi" }, limits: { memory: "60Mi" } })],
      resources: { requests: { memory: "90Mi" }, limits: { memory: "190Mi" } },
    }),
    create("good", {
      containers: [asking("main", { requests: { memory: "60Mi" }, limits: { memory: "60Mi" } })],
    }),
  ),
  scenario(
    "priorities come from classes",
    account({ automountServiceAccountToken: false }),
    post("priorityclasses", { metadata: { name: "${ns}-high" }, value: 1000 }),
    post("priorityclasses", {
      metadata: { name: "${ns}-never" },
      value: 5,
      preemptionPolicy: "Never",
    }),
    settle(),
    create("none"),
    create("high", { priorityClassName: "${ns}-high" }),
    create("never", { priorityClassName: "${ns}-never" }),
    create("system", { priorityClassName: "system-node-critical" }),
    create("ghost", { priorityClassName: "ghost" }),
    create("given", { priority: 7 }),
    create("given-right", { priority: 1000, priorityClassName: "${ns}-high" }),
    create("given-zero", { priority: 0 }),
    create("given-policy", {
      priorityClassName: "${ns}-never",
      preemptionPolicy: "PreemptLowerPriority",
    }),
    as("made", get("pods/never")),
    put("pods/never", edited("made", { spec: { priority: null, preemptionPolicy: null } })),
    put("pods/never", edited("made", { spec: { priority: 6 } })),
  ),
  scenario(
    "one priority class is the default",
    account({ automountServiceAccountToken: false }),
    post("priorityclasses", { metadata: { name: "${ns}-one" }, value: 10, globalDefault: true }),
    post("priorityclasses", { metadata: { name: "${ns}-plain" }, value: 10 }),
    settle(),
    create("a"),
    post("priorityclasses", { metadata: { name: "${ns}-two" }, value: 3, globalDefault: true }),
    patch("priorityclasses/${ns}-plain", ["merge", { globalDefault: true }]),
    patch("priorityclasses/${ns}-one", ["merge", { description: "it" }]),
    del("priorityclasses/${ns}-one"),
    settle(),
    create("b"),
  ),
  scenario(
    "pods tolerate nodes that are gone for a while",
    account({ automountServiceAccountToken: false }),
    settle(),
    create("none"),
    create("other", { tolerations: [{ key: "a", operator: "Exists" }] }),
    create("all", { tolerations: [{ operator: "Exists" }] }),
    create("one", {
      tolerations: [
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
      ],
    }),
    create("another-effect", {
      tolerations: [
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" },
        { key: "node.kubernetes.io/unreachable", operator: "Exists" },
      ],
    }),
    as("made", get("pods/none")),
    put("pods/none", edited("made", { spec: { tolerations: null } })),
    put("pods/none", edited("made", { metadata: { labels: { a: "b" } } })),
  ),
  scenario(
    "runtime classes",
    account({ automountServiceAccountToken: false }),
    post("runtimeclasses", {
      metadata: { name: "${ns}-a" },
      handler: "a",
      overhead: { podFixed: { cpu: "250m", memory: "10Mi" } },
      scheduling: {
        nodeSelector: { kind: "a" },
        tolerations: [{ key: "a", operator: "Exists" }],
      },
    }),
    post("runtimeclasses", { metadata: { name: "${ns}-b" }, handler: "b" }),
    settle(),
    create("a", { runtimeClassName: "${ns}-a" }),
    create("a-same", { runtimeClassName: "${ns}-a", overhead: { cpu: "0.25", memory: "10Mi" } }),
    create("a-other", { runtimeClassName: "${ns}-a", overhead: { cpu: "1" } }),
    create("a-selecting", { runtimeClassName: "${ns}-a", nodeSelector: { disk: "ssd" } }),
    create("a-conflict", { runtimeClassName: "${ns}-a", nodeSelector: { kind: "b" } }),
    create("a-tolerating", {
      runtimeClassName: "${ns}-a",
      tolerations: [
        { key: "a", operator: "Equal", value: "x" },
        { key: "b", operator: "Equal", value: "x", effect: "NoSchedule" },
        { operator: "Exists", effect: "NoExecute" },
      ],
    }),
    create("b", { runtimeClassName: "${ns}-b" }),
    create("b-overhead", { runtimeClassName: "${ns}-b", overhead: { cpu: "1" } }),
    create("ghost", { runtimeClassName: "ghost" }),
    create("alone", { overhead: { cpu: "1" } }),
  ),
];
