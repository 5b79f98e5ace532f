/** What is one field and what is many (semantic 36): lists, maps and odd corners of built-in kinds. */
import type { JsonObject } from "@homeostat/object-model";
import {
  apply,
  as,
  edited,
  get,
  patch,
  post,
  put,
  type RequestOptions,
  type RequestStep,
  type Scenario,
  scenario,
} from "../scenario.ts";

const force: RequestOptions = { query: { force: "true" } };
const by = (fieldManager: string): RequestOptions => ({ query: { fieldManager } });
const container = (more: JsonObject = {}): JsonObject => ({ name: "one", image: "one:1", ...more });
const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", ...metadata },
  spec: { containers: [container()], ...spec },
});
const podOf = (manager: string, spec: JsonObject, options: RequestOptions = {}): RequestStep =>
  apply("pods/a", [manager, pod(spec)], options);
const template = (...containers: JsonObject[]): JsonObject => ({
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: { metadata: { labels: { app: "a" } }, spec: { containers } },
  },
});
const templateOf = (
  manager: string,
  containers: readonly JsonObject[],
  options: RequestOptions = {},
): RequestStep => apply("deployments/a", [manager, template(...containers)], options);
const serviceOf = (manager: string, spec: JsonObject, options: RequestOptions = {}): RequestStep =>
  apply("services/a", [manager, { metadata: { name: "a" }, spec }], options);

export const applyKinds: readonly Scenario[] = [
  scenario(
    "36 ports are told apart by port and protocol, TCP where none is said",
    templateOf("one", [container({ ports: [{ containerPort: 80 }, { containerPort: 81 }] })]),
    templateOf("two", [
      { name: "one", ports: [{ containerPort: 80, protocol: "UDP", name: "u" }] },
    ]),
    templateOf("two", [{ name: "one", ports: [{ containerPort: 80, name: "t" }] }]),
    templateOf("one", [container({ ports: [{ containerPort: 81 }] })]),
    templateOf("two", [{ name: "one" }]),
  ),
  scenario(
    "36 containers of two managers, and their order",
    templateOf("one", [container(), { name: "three", image: "three:1" }]),
    templateOf("two", [{ name: "two", image: "two:1" }, { name: "one" }]),
    templateOf("two", [{ name: "three" }, { name: "two", image: "two:2" }, { name: "one" }]),
    templateOf("one", [container()]),
    templateOf("two", []),
  ),
  scenario(
    "36 variables are told apart by name",
    templateOf("one", [
      container({
        env: [
          { name: "A", value: "1" },
          { name: "B", value: "1" },
        ],
      }),
    ]),
    templateOf("two", [{ name: "one", env: [{ name: "C", value: "2" }] }]),
    templateOf("two", [{ name: "one", env: [{ name: "A", value: "2" }] }]),
    templateOf("two", [{ name: "one", env: [{ name: "A", value: "2" }] }], force),
    templateOf("one", [container({ env: [{ name: "B", value: "1" }] })]),
  ),
  scenario(
    "36 the order of a list that two managers apply",
    templateOf("one", [container({ env: ["A", "B", "C"].map((name) => ({ name })) })]),
    templateOf("two", [{ name: "one", env: ["X", "B", "Y"].map((name) => ({ name })) }]),
    templateOf("one", [container({ env: ["C", "A"].map((name) => ({ name })) })]),
    templateOf("two", [{ name: "one", env: ["Y", "A", "C", "X"].map((name) => ({ name })) }]),
    templateOf("one", [container({ env: ["N", "A", "O", "C", "P"].map((name) => ({ name })) })]),
  ),
  scenario(
    "36 an item goes with what others put into it",
    templateOf("one", [container(), { name: "two", image: "two:1" }]),
    patch(
      "deployments/a",
      [
        "strategic",
        {
          spec: {
            template: { spec: { containers: [{ name: "two", workingDir: "/w" }] } },
          },
        },
      ],
      by("three"),
    ),
    templateOf("one", [container()]),
  ),
  scenario(
    "36 lists without keys are one field",
    templateOf("one", [container({ args: ["a", "b"], command: ["c"] })]),
    templateOf("two", [{ name: "one", args: ["a"] }]),
    templateOf("two", [{ name: "one", args: ["a"] }], force),
    templateOf("one", [container({ command: [] })]),
  ),
  scenario(
    "36 duplicates in what is applied are refused",
    templateOf("one", [container(), container()]),
    templateOf("one", [
      container({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }] }),
    ]),
    templateOf("one", [container({ env: [{ name: "A" }, { name: "A", value: "2" }] })]),
    apply("configmaps/a", ["one", { metadata: { name: "a", finalizers: ["x/y", "x/y"] } }]),
  ),
  scenario(
    "36 duplicates in what is stored are one field",
    post(
      "deployments",
      template(
        container({
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
          ],
        }),
      ),
      by("one"),
    ),
    patch("deployments/a", ["merge", { metadata: { labels: { l: "1" } } }], by("two")),
    templateOf("three", [{ name: "one", env: [{ name: "B", value: "1" }] }]),
    templateOf("three", [{ name: "one", env: [{ name: "A", value: "3" }] }], force),
  ),
  scenario(
    "36 sets: finalizers",
    apply("configmaps/a", ["one", { metadata: { name: "a", finalizers: ["x.io/a", "x.io/b"] } }]),
    apply("configmaps/a", ["two", { metadata: { name: "a", finalizers: ["x.io/c"] } }]),
    apply("configmaps/a", ["two", { metadata: { name: "a", finalizers: ["x.io/b", "x.io/a"] } }]),
    apply("configmaps/a", ["one", { metadata: { name: "a" } }]),
    patch("configmaps/a", ["json", [{ op: "remove", path: "/metadata/finalizers" }]], by("three")),
  ),
  scenario(
    "36 owners are told apart by uid",
    apply("configmaps/a", [
      "one",
      {
        metadata: {
          name: "a",
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "Pod",
              name: "p",
              uid: "11111111-1111-1111-1111-111111111111",
            },
          ],
        },
      },
    ]),
    apply("configmaps/a", [
      "two",
      {
        metadata: {
          name: "a",
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "Pod",
              name: "q",
              uid: "22222222-2222-2222-2222-222222222222",
            },
          ],
        },
      },
    ]),
    apply("configmaps/a", ["one", { metadata: { name: "a" } }]),
  ),
  scenario(
    "36 maps that are one field, and maps that are many",
    serviceOf("one", { selector: { a: "1", b: "1" }, ports: [{ port: 80 }] }),
    serviceOf("two", { selector: { a: "1" } }),
    serviceOf("two", { selector: { a: "1" } }, force),
    apply("services/a", ["two", { metadata: { name: "a", labels: { x: "1" } } }]),
    apply("services/a", ["three", { metadata: { name: "a", labels: { y: "1" } } }]),
  ),
  scenario(
    "36 a service's ports, addresses and node ports",
    serviceOf("one", {
      type: "NodePort",
      ports: [
        { port: 80, name: "a" },
        { port: 80, protocol: "UDP", name: "b" },
      ],
    }),
    serviceOf("two", { ports: [{ port: 81, name: "c" }] }),
    serviceOf("one", { ports: [{ port: 80, name: "a" }] }),
    serviceOf("two", {}),
  ),
  scenario(
    "36 node conditions, and what a status keeps",
    apply("nodes/${ns}", ["one", { metadata: { name: "${ns}" } }]),
    apply("nodes/${ns}/status", [
      "two",
      {
        metadata: { name: "${ns}" },
        status: { conditions: [{ type: "Ready", status: "True" }], capacity: { cpu: "1000m" } },
      },
    ]),
    apply("nodes/${ns}/status", [
      "three",
      {
        metadata: { name: "${ns}" },
        status: { conditions: [{ type: "DiskPressure", status: "False" }] },
      },
    ]),
    apply("nodes/${ns}/status", ["two", { metadata: { name: "${ns}" }, status: {} }]),
  ),
  scenario(
    "36 quantities, times and numbers of another spelling are no change",
    podOf("one", {
      containers: [container({ resources: { requests: { cpu: "1000m", memory: "1024Mi" } } })],
    }),
    podOf("one", {
      containers: [container({ resources: { requests: { cpu: "1", memory: "1Gi" } } })],
    }),
    podOf("two", {
      containers: [{ name: "one", resources: { requests: { cpu: "1000m", memory: "1Gi" } } }],
    }),
  ),
  scenario(
    "36 volumes and mounts",
    podOf("one", {
      containers: [container({ volumeMounts: [{ name: "v", mountPath: "/v" }] })],
      volumes: [{ name: "v", emptyDir: {} }],
    }),
    post("pods", pod({}, { name: "b" }), by("two")),
    podOf("one", {}),
  ),
  scenario(
    "36 tolerations and host aliases",
    podOf("one", {
      tolerations: [{ key: "k", operator: "Exists" }],
      hostAliases: [{ ip: "10.0.0.9", hostnames: ["h"] }],
    }),
    podOf("one", { hostAliases: [{ ip: "10.0.0.9", hostnames: ["h"] }] }),
  ),
  scenario(
    "36 int or string",
    apply("poddisruptionbudgets/a", [
      "one",
      { metadata: { name: "a" }, spec: { minAvailable: 1 } },
    ]),
    apply("poddisruptionbudgets/a", [
      "two",
      { metadata: { name: "a" }, spec: { minAvailable: "50%" } },
    ]),
    apply(
      "poddisruptionbudgets/a",
      ["two", { metadata: { name: "a" }, spec: { minAvailable: "50%" } }],
      force,
    ),
  ),
  scenario(
    "free content is one field: controller revisions",
    apply("controllerrevisions/a", [
      "one",
      { metadata: { name: "a" }, revision: 1, data: { a: { b: 1 } } },
    ]),
    apply("controllerrevisions/a", ["two", { metadata: { name: "a" }, data: { a: { b: 2 } } }]),
  ),
  scenario(
    "a secret's texts become data",
    apply("secrets/a", ["one", { metadata: { name: "a" }, stringData: { a: "1" } }]),
    apply("secrets/a", ["one", { metadata: { name: "a" }, data: { a: "MQ==" } }]),
    post("secrets", { metadata: { name: "b" }, stringData: { a: "1" } }, by("two")),
  ),
  scenario(
    "roles: rules are one field, empty or not",
    apply("roles/a", ["one", { metadata: { name: "a" }, rules: [] }]),
    apply("roles/a", ["one", { metadata: { name: "a" }, rules: [] }]),
    apply("roles/a", [
      "one",
      {
        metadata: { name: "a" },
        rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
      },
    ]),
    apply("roles/a", ["two", { metadata: { name: "a" } }]),
  ),
  scenario(
    "jobs and daemon sets",
    apply("jobs/a", [
      "one",
      {
        metadata: { name: "a" },
        spec: { template: { spec: { restartPolicy: "Never", containers: [container()] } } },
      },
    ]),
    apply("daemonsets/a", ["one", template(container())]),
    apply("daemonsets/a", ["one", template(container({ image: "one:2" }))]),
    patch("daemonsets/a", ["merge", { metadata: { labels: { l: "1" } } }], by("two")),
  ),
  scenario(
    "namespaces and their finalizers",
    apply("namespaces/${ns}-x", ["one", { metadata: { name: "${ns}-x", labels: { l: "1" } } }]),
    as("now", get("namespaces/${ns}-x")),
    put("namespaces/${ns}-x/finalize", edited("now", { spec: { finalizers: [] } }), by("two")),
    get("namespaces/${ns}-x"),
  ),
  scenario(
    "autoscalers in two versions",
    apply("horizontalpodautoscalers.v1.autoscaling/a", [
      "one",
      {
        apiVersion: "autoscaling/v1",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "a" },
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { kind: "Deployment", name: "d" },
          targetCPUUtilizationPercentage: 50,
        },
      },
    ]),
    get("horizontalpodautoscalers.v2.autoscaling/a"),
    patch(
      "horizontalpodautoscalers.v2.autoscaling/a",
      ["merge", { spec: { minReplicas: 2 } }],
      by("two"),
    ),
    apply("horizontalpodautoscalers.v2.autoscaling/a", [
      "one",
      {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "a" },
        spec: { maxReplicas: 4, scaleTargetRef: { kind: "Deployment", name: "d" } },
      },
    ]),
    get("horizontalpodautoscalers.v1.autoscaling/a"),
  ),
  scenario(
    "pods: bindings, ephemeral containers and their status",
    post("pods", pod({}), by("one")),
    post(
      "pods/a/binding",
      { metadata: { name: "a" }, target: { kind: "Node", name: "n" } },
      by("scheduler"),
    ),
    patch(
      "pods/a/ephemeralcontainers",
      [
        "strategic",
        {
          spec: {
            ephemeralContainers: [{ name: "e", image: "e:1", terminationMessagePolicy: "File" }],
          },
        },
      ],
      by("debugger"),
    ),
    apply("pods/a/status", [
      "kubelet",
      {
        metadata: { name: "a" },
        status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      },
    ]),
    get("pods/a"),
  ),
  scenario(
    "keys that are names in JavaScript",
    apply("configmaps/a", [
      "one",
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"constructor":"1"}},"data":{"constructor":"1","toString":"2","__proto__":"3"}}',
    ]),
    apply("configmaps/a", [
      "one",
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"toString":"2"}}',
    ]),
  ),
];
