/** Pods and what makes them, with something to tell in tables. */
import type { JsonObject } from "@homeostat/object-model";
import { get, patch, post, type Step } from "../scenario.ts";

export const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
/** Rows without their objects. */
export const BARE = { headers: TABLE, query: { includeObject: "None" } };

export function podSteps(): Step[] {
  const container = { name: "c", image: "i" };
  const running = {
    name: "c",
    image: "i",
    imageID: "",
    ready: true,
    restartCount: 0,
    state: { running: {} },
  };
  const ended = (more: JsonObject): JsonObject => ({ terminated: { exitCode: 1, ...more } });
  const one = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
    phase: "Running",
    containerStatuses: [{ ...running, ready: false, state, ...more }],
  });
  const init = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
    phase: "Pending",
    initContainerStatuses: [
      { ...running, name: "i1", ready: false, state: ended({ exitCode: 0 }) },
      { ...running, name: "i2", ready: false, state, ...more },
    ],
  });
  const states: Record<string, JsonObject> = {
    running: {
      phase: "Running",
      podIPs: [{ ip: "10.2.3.4" }],
      podIP: "10.2.3.4",
      conditions: [
        { type: "Ready", status: "True" },
        { type: "example.com/gate", status: "True" },
      ],
      containerStatuses: [running],
    },
    restarted: {
      phase: "Running",
      containerStatuses: [
        {
          ...running,
          restartCount: 3,
          lastState: { terminated: { exitCode: 2, finishedAt: "2020-01-02T03:04:05Z" } },
        },
      ],
    },
    crashing: one({ waiting: { reason: "CrashLoopBackOff" } }, { restartCount: 2 }),
    errored: one(ended({ reason: "Error" })),
    signalled: one(ended({ signal: 9 })),
    exited: one(ended({ exitCode: 7 })),
    completing: one(ended({ exitCode: 0, reason: "Completed" })),
    evicted: { phase: "Failed", reason: "Evicted" },
    succeeded: { phase: "Succeeded" },
    gated: { conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] },
    lost: { phase: "Unknown", reason: "NodeLost" },
    "init-waits": init({ waiting: { reason: "PodInitializing" } }),
    "init-fails": init({ waiting: { reason: "ImagePullBackOff" } }),
    "init-ended": init(ended({})),
    "init-killed": init(ended({ signal: 15 })),
    "init-error": init(ended({ reason: "OOMKilled" }), { restartCount: 4 }),
    "init-again": {
      ...init({ running: {} }),
      conditions: [{ type: "Initialized", status: "True" }],
    },
  };
  return Object.entries(states).flatMap(([name, status]) => [
    post("pods", {
      metadata: { name },
      spec: {
        containers: name === "completing" ? [container, { ...container, name: "d" }] : [container],
        ...(name.startsWith("init") && {
          initContainers: [
            { ...container, name: "i1" },
            { ...container, name: "i2", ...(name === "init-again" && { restartPolicy: "Always" }) },
          ],
        }),
        ...(name === "running" && {
          readinessGates: [
            { conditionType: "example.com/gate" },
            { conditionType: "example.com/no" },
          ],
        }),
      },
    }),
    patch(`pods/${name}/status`, ["merge", { status }]),
  ]);
}

export function workloadSteps(): Step[] {
  const status = {
    deployments: { replicas: 5, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
    replicasets: { replicas: 4, readyReplicas: 2 },
    replicationcontrollers: { replicas: 4, readyReplicas: 3 },
    statefulsets: { replicas: 3, readyReplicas: 1 },
    daemonsets: {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
      numberMisscheduled: 0,
    },
  };
  const template = {
    metadata: { labels: { app: "a", tier: "x" } },
    spec: {
      containers: [
        { name: "one", image: "i:1" },
        { name: "two", image: "i:2" },
      ],
      nodeSelector: { disk: "ssd" },
    },
  };
  const selector = {
    matchLabels: { app: "a" },
    matchExpressions: [{ key: "tier", operator: "In", values: ["y", "x"] }],
  };
  return [
    ...Object.entries(status).flatMap(([resource, values]) => [
      post(resource, {
        metadata: { name: "w" },
        spec: {
          ...(resource !== "daemonsets" && { replicas: 5 }),
          ...(resource === "statefulsets" && { serviceName: "s" }),
          selector: resource === "replicationcontrollers" ? { app: "a" } : selector,
          template,
        },
      }),
      patch(`${resource}/w/status`, ["merge", { status: values }]),
      get(`${resource}/w`, BARE),
    ]),
    post("controllerrevisions", {
      metadata: {
        name: "r",
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "StatefulSet", name: "w", uid: "1", controller: true },
        ],
      },
      revision: 12,
    }),
    get("controllerrevisions/r", BARE),
    get("podtemplates", BARE),
  ];
}

export function jobSteps(): Step[] {
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
  return [
    post("jobs", { metadata: { name: "whole" }, spec: { completions: 3, template } }),
    post("jobs", { metadata: { name: "many" }, spec: { parallelism: 4, template } }),
    post("jobs", { metadata: { name: "held" }, spec: { suspend: true, template } }),
    patch("jobs/whole/status", [
      "merge",
      {
        status: {
          startTime: "2020-01-02T03:04:05Z",
          completionTime: "2020-01-02T03:09:35Z",
          succeeded: 3,
          uncountedTerminatedPods: {},
          conditions: [
            { type: "SuccessCriteriaMet", status: "True" },
            { type: "Complete", status: "True" },
          ],
        },
      },
    ]),
    patch("jobs/many/status", [
      "merge",
      { status: { succeeded: 2, startTime: "2020-01-02T03:04:05Z" } },
    ]),
    patch("jobs/held/status", [
      "merge",
      { status: { conditions: [{ type: "Suspended", status: "True" }] } },
    ]),
    get("jobs", BARE),
    post("cronjobs", {
      metadata: { name: "nightly" },
      spec: {
        schedule: "0 0 * * *",
        timeZone: "Etc/UTC",
        suspend: true,
        jobTemplate: { spec: { template } },
      },
    }),
    patch("cronjobs/nightly/status", [
      "merge",
      {
        status: { lastScheduleTime: "2020-01-02T03:04:05Z", active: [{ kind: "Job", name: "j" }] },
      },
    ]),
    get("cronjobs", BARE),
  ];
}

export function autoscalerSteps(): Step[] {
  const aim = (target: JsonObject): JsonObject => target;
  const metrics: readonly [string, JsonObject, JsonObject?][] = [
    [
      "cpu",
      {
        type: "Resource",
        resource: { name: "cpu", target: aim({ type: "Utilization", averageUtilization: 80 }) },
      },
      {
        type: "Resource",
        resource: { name: "cpu", current: { averageUtilization: 44, averageValue: "440m" } },
      },
    ],
    [
      "memory",
      {
        type: "Resource",
        resource: { name: "memory", target: aim({ type: "AverageValue", averageValue: "1Gi" }) },
      },
    ],
    [
      "pods",
      {
        type: "Pods",
        pods: { metric: { name: "m" }, target: aim({ type: "AverageValue", averageValue: "10" }) },
      },
      { type: "Pods", pods: { metric: { name: "m" }, current: { averageValue: "1500m" } } },
    ],
    [
      "object",
      {
        type: "Object",
        object: {
          describedObject: { kind: "Service", name: "s" },
          metric: { name: "m" },
          target: aim({ type: "Value", value: "100" }),
        },
      },
    ],
    [
      "external",
      {
        type: "External",
        external: {
          metric: { name: "m" },
          target: aim({ type: "AverageValue", averageValue: "7" }),
        },
      },
      { type: "External", external: { metric: { name: "m" }, current: { averageValue: "3" } } },
    ],
  ];
  const spec = (list: readonly JsonObject[]): JsonObject => ({
    minReplicas: 2,
    maxReplicas: 9,
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    metrics: [...list],
  });
  return [
    ...metrics.flatMap(([name, metric, current]) => [
      post("horizontalpodautoscalers", { metadata: { name }, spec: spec([metric]) }),
      patch(`horizontalpodautoscalers/${name}/status`, [
        "merge",
        {
          status: {
            currentReplicas: 3,
            desiredReplicas: 3,
            ...(current !== undefined && { currentMetrics: [current] }),
          },
        },
      ]),
    ]),
    post("horizontalpodautoscalers", {
      metadata: { name: "zall" },
      spec: spec(metrics.map(([, metric]) => metric)),
    }),
    get("horizontalpodautoscalers", BARE),
    get("horizontalpodautoscalers.v1.autoscaling/cpu", {
      headers: TABLE,
      query: { includeObject: "Object" },
    }),
  ];
}
