/** Numbers, quantities, times, empties (semantics 59-61) and kinds with two addresses. */
import {
  as,
  del,
  edited,
  get,
  patch,
  post,
  put,
  type RequestStep,
  type Scenario,
  scenario,
} from "../scenario.ts";
import { sampleOf } from "./sample-objects.ts";

const pod = (name: string, resources: object): RequestStep =>
  post("pods", {
    metadata: { name },
    spec: { containers: [{ name: "c", image: "i", resources: resources as never }] },
  });
const text = (place: string, body: string): RequestStep => post(place, { text: body });

export const values: readonly Scenario[] = [
  scenario(
    "61 quantities in canonical form",
    ...[
      "1000m",
      "0.5",
      "1",
      "1e3",
      "100k",
      "1Ki",
      "1024",
      "1.5Gi",
      "0.1",
      "+5",
      "1E",
      "12e-3",
      ".5",
      "5.",
      "0001",
      "1.0000000001",
      "1n",
      "9223372036854775807",
    ].map((cpu, i) => pod(`p${i}`, { requests: { cpu } })),
  ),
  scenario(
    "61 quantities as numbers, and no quantities",
    pod("a", { requests: { cpu: 2, memory: 1048576 } }),
    pod("b", { requests: { cpu: 0.5 } }),
    pod("c", { requests: { cpu: "" } }),
    pod("d", { requests: { cpu: "abc" } }),
    pod("e", { requests: { cpu: "-1" } }),
    pod("f", { requests: { cpu: "1 Gi" } }),
    pod("g", { requests: { cpu: "2" }, limits: { cpu: "1" } }),
    pod("h", { limits: { memory: "128Mi" } }),
    pod("i", { requests: { cpu: null } }),
    pod("j", { requests: { cpu: true } }),
    pod("k", { requests: { memory: "100M" } }),
    pod("l", { requests: { memory: "1.5" } }),
  ),
  scenario(
    "61 times",
    ...[
      "2020-01-02T03:04:05Z",
      "2020-01-02T03:04:05.999999999Z",
      "2020-01-02T03:04:05+02:00",
      "2020-01-02 03:04:05Z",
      "2020-01-02",
      "2020-13-02T03:04:05Z",
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59Z",
      "",
      "2020-01-02t03:04:05z",
    ].map((creationTimestamp, i) =>
      post("events", {
        ...sampleOf("events"),
        metadata: { name: `e${i}` },
        firstTimestamp: creationTimestamp,
      }),
    ),
    post("events", { ...sampleOf("events"), metadata: { name: "null" }, firstTimestamp: null }),
    post("events", { ...sampleOf("events"), metadata: { name: "number" }, firstTimestamp: 5 }),
  ),
  scenario(
    "61 micro times",
    ...[
      "2020-05-06T07:08:09.123456Z",
      "2020-05-06T07:08:09Z",
      "2020-05-06T07:08:09.1Z",
      "2020-05-06T07:08:09.123456789Z",
      "2020-05-06T07:08:09.123456+02:00",
      "never",
    ].map((renewTime, i) => post("leases", { metadata: { name: `l${i}` }, spec: { renewTime } })),
    post("leases", { metadata: { name: "null" }, spec: { renewTime: null, holderIdentity: null } }),
    post("leases", { metadata: { name: "none" }, spec: {} }),
    post("leases", { metadata: { name: "bare" } }),
  ),
  scenario(
    "61 empty and absent",
    post("configmaps", {
      metadata: { name: "a", labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
      data: {},
    }),
    post("configmaps", {
      metadata: { name: "b", labels: null, annotations: null, creationTimestamp: null },
      data: null,
    }),
    post("serviceaccounts", { metadata: { name: "a" }, secrets: [], imagePullSecrets: null }),
    post("networkpolicies", {
      metadata: { name: "a" },
      spec: { podSelector: {}, ingress: [], egress: [{}] },
    }),
    post("roles", { metadata: { name: "a" } }),
    post("roles", { metadata: { name: "b" }, rules: [] }),
    post("endpointslices", { metadata: { name: "a" }, addressType: "IPv4", endpoints: [] }),
    post("services", { metadata: { name: "a" }, spec: { clusterIP: "None", selector: {} } }),
    post("ingresses", { metadata: { name: "a" }, spec: { rules: [{ host: "x.example.com" }] } }),
    post("pods", {
      metadata: { name: "a" },
      spec: {
        containers: [{ name: "c", image: "i", command: [], env: [], securityContext: {} }],
        volumes: [],
        nodeSelector: {},
      },
    }),
  ),
  scenario(
    "numbers at the edges",
    ...[
      "2147483647",
      "2147483648",
      "-2147483648",
      "9223372036854775807",
      "9223372036854775808",
      "1e400",
      "-0",
      "0.0",
      "1E2",
      "9007199254740993",
    ].map((n, i) =>
      text(
        "controllerrevisions",
        `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r${i}"},"revision":${n},"data":{"n":${n}}}`,
      ),
    ),
    text(
      "leases",
      '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a"},"spec":{"leaseDurationSeconds":2147483648}}',
    ),
    text(
      "leases",
      '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a"},"spec":{"leaseDurationSeconds":2147483647}}',
    ),
  ),
  scenario(
    "59 one event at two addresses",
    as(
      "made",
      post("events", {
        ...sampleOf("events"),
        count: 3,
        source: { component: "judge", host: "h" },
        firstTimestamp: "2020-01-02T03:04:05Z",
        lastTimestamp: "2020-01-02T03:04:06Z",
      }),
    ),
    get("events.events.k8s.io/a"),
    patch("events.events.k8s.io/a", ["merge", { note: "changed" }]),
    get("events/a"),
    post("events.events.k8s.io", { ...sampleOf("events.events.k8s.io"), metadata: { name: "b" } }),
    get("events/b"),
    get("events"),
    get("events.events.k8s.io"),
    post("events.events.k8s.io", { metadata: { name: "c" } }),
    post("events", { metadata: { name: "d" } }),
    del("events.events.k8s.io/a"),
    get("events/a"),
  ),
  scenario(
    "59 one autoscaler in two versions",
    as(
      "made",
      post("horizontalpodautoscalers.v1.autoscaling", {
        metadata: { name: "a" },
        spec: {
          maxReplicas: 5,
          targetCPUUtilizationPercentage: 60,
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
        },
      }),
    ),
    as("two", get("horizontalpodautoscalers.v2.autoscaling/a")),
    put(
      "horizontalpodautoscalers.v2.autoscaling/a",
      edited("two", {
        spec: {
          metrics: [
            {
              type: "Resource",
              resource: { name: "memory", target: { type: "AverageValue", averageValue: "100Mi" } },
            },
          ],
        },
      }),
    ),
    get("horizontalpodautoscalers.v1.autoscaling/a"),
    get("horizontalpodautoscalers.v1.autoscaling"),
    patch("horizontalpodautoscalers.v1.autoscaling/a", [
      "merge",
      { spec: { minReplicas: 2, targetCPUUtilizationPercentage: 70 } },
    ]),
    get("horizontalpodautoscalers.v2.autoscaling/a"),
    get("horizontalpodautoscalers.v2.autoscaling/a/status"),
    get("horizontalpodautoscalers.v1.autoscaling/a/status"),
    post("horizontalpodautoscalers.v2.autoscaling", {
      metadata: { name: "b" },
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "b" },
        behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
        metrics: [
          {
            type: "Pods",
            pods: { metric: { name: "qps" }, target: { type: "AverageValue", averageValue: "1k" } },
          },
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
          },
        ],
      },
    }),
    get("horizontalpodautoscalers.v1.autoscaling/b"),
    del("horizontalpodautoscalers.v1.autoscaling/a"),
  ),
];
