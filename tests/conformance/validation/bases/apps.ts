import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from "@homeostat/object-model/apps-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const image = "registry.example/app:1";
const labels = { app: "web" };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [{ name: "app", image }] } };

const deploymentVariants = {
  plain: { spec: { selector, template } },
  full: {
    metadata: { labels, annotations: { a: "b" } },
    spec: {
      replicas: 3,
      selector: {
        matchLabels: labels,
        matchExpressions: [{ key: "app", operator: "In", values: ["web"] }],
      },
      template: {
        metadata: { labels, annotations: { a: "b" } },
        spec: {
          restartPolicy: "Always",
          volumes: [{ name: "data", emptyDir: {} }],
          containers: [
            {
              name: "app",
              image,
              ports: [{ name: "http", containerPort: 80 }],
              volumeMounts: [{ name: "data", mountPath: "/data" }],
              readinessProbe: { httpGet: { path: "/", port: "http" } },
              resources: { requests: { cpu: "1" } },
            },
          ],
          securityContext: { runAsUser: 1 },
        },
      },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: 1 } },
      minReadySeconds: 5,
      revisionHistoryLimit: 3,
      paused: true,
      progressDeadlineSeconds: 60,
    },
    status: {
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
      terminatingReplicas: 1,
      collisionCount: 1,
      conditions: [
        {
          type: "Available",
          status: "True",
          lastUpdateTime: "2020-01-01T00:00:00Z",
          lastTransitionTime: "2020-01-01T00:00:00Z",
          reason: "Because",
          message: "x",
        },
      ],
    },
  },
  recreate: { spec: { selector, template, strategy: { type: "Recreate" } } },
  collided: {
    spec: { selector, template },
    status: { observedGeneration: 1, collisionCount: 2, replicas: 1 },
  },
} satisfies Variants<Deployment>;

const condition = {
  type: "Ready",
  status: "True",
  lastTransitionTime: "2020-01-01T00:00:00Z",
  reason: "Because",
  message: "x",
};

const statefulSetVariants = {
  plain: { spec: { selector, template, serviceName: "web" } },
  full: {
    metadata: {
      labels,
      annotations: { a: "b" },
      finalizers: ["example.com/keep"],
      ownerReferences: [
        { apiVersion: "v1", kind: "Pod", name: "x", uid: "11111111-2222-3333-4444-555555555555" },
      ],
    },
    spec: {
      replicas: 3,
      selector: {
        matchLabels: labels,
        matchExpressions: [{ key: "app", operator: "Exists" }],
      },
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: "data", labels: { a: "b" } },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "1Gi" } },
            storageClassName: "fast",
          },
        },
      ],
      serviceName: "web",
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
      revisionHistoryLimit: 3,
      minReadySeconds: 5,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
      ordinals: { start: 2 },
    },
    status: {
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 1,
      currentRevision: "a",
      updateRevision: "b",
      collisionCount: 1,
      availableReplicas: 2,
      conditions: [condition],
    },
  },
  ondelete: { spec: { selector, template, updateStrategy: { type: "OnDelete" } } },
  collided: {
    spec: { selector, template },
    status: { observedGeneration: 1, collisionCount: 2, replicas: 1 },
  },
} satisfies Variants<StatefulSet>;

const daemonSetVariants = {
  plain: { spec: { selector, template } },
  full: {
    spec: {
      selector,
      template,
      updateStrategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxUnavailable: 0, maxSurge: "25%" },
      },
      minReadySeconds: 5,
      revisionHistoryLimit: 3,
    },
    status: {
      currentNumberScheduled: 1,
      numberMisscheduled: 1,
      desiredNumberScheduled: 1,
      numberReady: 1,
      observedGeneration: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
      numberUnavailable: 1,
      collisionCount: 1,
      conditions: [condition],
    },
  },
  ondelete: { spec: { selector, template, updateStrategy: { type: "OnDelete" } } },
  collided: {
    spec: { selector, template },
    status: {
      currentNumberScheduled: 1,
      numberMisscheduled: 0,
      desiredNumberScheduled: 1,
      numberReady: 1,
      collisionCount: 2,
    },
  },
} satisfies Variants<DaemonSet>;

const replicaSetVariants = {
  plain: { spec: { selector, template } },
  full: {
    spec: {
      replicas: 3,
      minReadySeconds: 5,
      selector: { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] },
      template,
    },
    status: {
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 2,
      terminatingReplicas: 1,
      observedGeneration: 1,
      conditions: [condition],
    },
  },
} satisfies Variants<ReplicaSet>;

const controllerRevisionVariants = {
  plain: { revision: 3, data: { spec: { a: "b" } } },
} satisfies Variants<ControllerRevision>;

const apps = { group: "apps", version: "v1" } as const;
const withStatus = ["collided"];
const briefly = ["spec.template.spec"];

export const appsKinds: readonly ProbedKind[] = [
  {
    ...apps,
    name: "controllerrevisions",
    plural: "controllerrevisions",
    variants: controllerRevisionVariants,
  },
  {
    ...apps,
    name: "daemonsets",
    plural: "daemonsets",
    variants: daemonSetVariants,
    withStatus,
    briefly,
  },
  { ...apps, name: "deployments", plural: "deployments", variants: deploymentVariants, withStatus },
  { ...apps, name: "replicasets", plural: "replicasets", variants: replicaSetVariants, briefly },
  {
    ...apps,
    name: "statefulsets",
    plural: "statefulsets",
    variants: statefulSetVariants,
    withStatus,
    briefly,
  },
];
