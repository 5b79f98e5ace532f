/** Rules about several fields at once: jobs, cron jobs and what keeps pods running. */
import { type ExtraProbe, extras } from "../probe.ts";

const time = "2020-01-01T00:00:00Z";
const condition = (type: string, status = "True") => ({ type, status });

export const workloadExtras: Readonly<Record<string, readonly ExtraProbe[]>> = {
  jobs: [
    ...extras("indexed", "create", {
      "long name": { "metadata.name": "a".repeat(62) },
      "many completions": {
        "spec.completions": 200_000,
        "spec.parallelism": 20_000,
        "spec.maxFailedIndexes": undefined,
        "spec.successPolicy": undefined,
      },
      "many failed indexes": {
        "spec.completions": 200_000,
        "spec.parallelism": 1,
        "spec.maxFailedIndexes": 20_000,
        "spec.successPolicy": undefined,
      },
      "many in parallel": { "spec.completions": 200_000, "spec.parallelism": 200_000 },
      "restarts with a failure policy": { "spec.template.spec.restartPolicy": "OnFailure" },
      "always restarts": { "spec.template.spec.restartPolicy": "Always" },
      "rule with both conditions": {
        "spec.podFailurePolicy.rules[0].onPodConditions": [{ type: "X", status: "True" }],
      },
      "rule with none": { "spec.podFailurePolicy.rules[0]": { action: "Count" } },
      "exit code zero": { "spec.podFailurePolicy.rules[0].onExitCodes.values": [0, 1] },
      "exit codes in disorder": { "spec.podFailurePolicy.rules[0].onExitCodes.values": [3, 2, 2] },
      "many rules": {
        "spec.podFailurePolicy.rules": Array.from({ length: 21 }, () => ({
          action: "Count",
          onExitCodes: { operator: "In", values: [1] },
        })),
      },
      "indexes out of range": { "spec.successPolicy.rules[0].succeededIndexes": "3-9" },
      "indexes in disorder": { "spec.successPolicy.rules[0].succeededIndexes": "2,1" },
      "indexes of nonsense": { "spec.successPolicy.rules[0].succeededIndexes": "a-b" },
      "too many succeeded": { "spec.successPolicy.rules[0].succeededCount": 4 },
      "failure policy and replacement": { "spec.podReplacementPolicy": "TerminatingOrFailed" },
    }),
    ...extras("plain", "create", {
      "generated selector given": { "spec.selector": { matchLabels: { a: "b" } } },
      "generated selector refused": {
        "spec.manualSelector": false,
        "spec.selector": { matchLabels: { a: "b" } },
      },
      "generated label given": { 'spec.template.metadata.labels["controller-uid"]': "x" },
      "success policy": { "spec.successPolicy": { rules: [{ succeededCount: 1 }] } },
      "limit per index": { "spec.backoffLimitPerIndex": 1 },
      "failed index action": {
        "spec.podFailurePolicy": {
          rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [1] } }],
        },
      },
    }),
    ...extras("plain", "update", {
      "template's affinity": { "spec.template.spec.nodeSelector": { a: "b" } },
      suspended: { "spec.suspend": true },
      "other completions": { "spec.completions": 5 },
      "other parallelism": { "spec.parallelism": 0 },
    }),
    ...extras("manual", "update", {
      "template's selector while suspended": { "spec.template.spec.nodeSelector": { a: "b" } },
      "template's labels while suspended": { "spec.template.metadata.labels.other": "x" },
      "template's gates while suspended": { "spec.template.spec.schedulingGates": [{ name: "a" }] },
      "template's image while suspended": { "spec.template.spec.containers[0].image": "other" },
      resumed: { "spec.suspend": false },
      "resources while suspended": {
        "spec.template.spec.containers[0].resources": { requests: { cpu: "1" } },
      },
    }),
    ...extras("done", "status", {
      "not complete any more": { "status.conditions[1].status": "False" },
      "conditions removed": { "status.conditions": [], "status.completionTime": undefined },
      "criteria not met any more": { "status.conditions[0].status": "False" },
      "another end": { "status.completionTime": "2020-01-03T00:00:00Z" },
      "fewer succeeded": { "status.succeeded": 0 },
      "active again": { "status.active": 1 },
    }),
    ...extras("started", "status", {
      "another start": { "status.startTime": "2020-01-02T00:00:00Z" },
      "no start": { "status.startTime": undefined },
      "complete at once": {
        "status.conditions": [condition("Complete"), condition("SuccessCriteriaMet")],
        "status.completionTime": "2020-01-02T00:00:00Z",
        "status.active": 0,
      },
      "failed at once": {
        "status.conditions": [condition("FailureTarget"), condition("Failed")],
        "status.active": 0,
      },
    }),
    ...extras("started", "update", {
      suspended: { "spec.suspend": true },
      "another selector of nodes": { "spec.template.spec.nodeSelector": { a: "b" } },
    }),
    ...extras("manual", "status", {
      "complete and failed": {
        "status.conditions": [
          condition("Complete"),
          condition("Failed"),
          condition("SuccessCriteriaMet"),
          condition("FailureTarget"),
        ],
      },
      "complete alone": { "status.conditions": [condition("Complete")] },
      "failed alone": {
        "status.conditions": [condition("Failed")],
        "status.completionTime": undefined,
      },
      "failed as aimed": {
        "status.conditions": [condition("Failed"), condition("FailureTarget")],
        "status.completionTime": undefined,
      },
      "active when complete": { "status.active": 1, "status.ready": 1, "status.terminating": 1 },
      "no start": { "status.startTime": undefined },
      "end before start": { "status.completionTime": "2019-01-01T00:00:00Z" },
      "uncounted when complete": {
        "status.uncountedTerminatedPods": { succeeded: ["a"], failed: ["a", ""] },
      },
      "indexes of a plain job": { "status.completedIndexes": "0", "status.failedIndexes": "1" },
      "more ready than active": { "status.ready": 5 },
    }),
    ...extras("indexed", "status", {
      "indexes overlap": { "status.completedIndexes": "0-2", "status.failedIndexes": "1" },
      "indexes beyond": { "status.completedIndexes": "0-9" },
      "complete without criteria": {
        "status.conditions": [condition("Complete")],
        "status.completionTime": time,
        "status.active": 0,
        "status.ready": 0,
        "status.uncountedTerminatedPods": undefined,
      },
    }),
  ],
  cronjobs: extras("plain", "create", {
    "zone in the schedule": { "spec.schedule": "TZ=UTC 0 * * * *" },
    "zone in both": { "spec.schedule": "CRON_TZ=UTC 0 * * * *", "spec.timeZone": "UTC" },
    "local zone": { "spec.timeZone": "Local" },
    "unknown zone": { "spec.timeZone": "Mars/Base" },
    "four fields": { "spec.schedule": "* * * *" },
    "out of range": { "spec.schedule": "61 * * * *" },
    every: { "spec.schedule": "@every 5m" },
    names: { "spec.schedule": "0 0 1 JAN MON-FRI" },
    "day of question": { "spec.schedule": "0 0 ? * *" },
    "long name": { "metadata.name": "a".repeat(53) },
    "manual selector": { "spec.jobTemplate.spec.manualSelector": true },
    "a selector": { "spec.jobTemplate.spec.selector": { matchLabels: { a: "b" } } },
    "always restarts": { "spec.jobTemplate.spec.template.spec.restartPolicy": "Always" },
  }),
  deployments: [
    ...extras("collided", "status", {
      "fewer collisions": { "status.collisionCount": 1 },
      "no collisions": { "status.collisionCount": undefined },
      "more collisions": { "status.collisionCount": 3 },
      "an older generation": { "status.observedGeneration": 0 },
    }),
    ...extras("full", "create", {
      "replicas as a text": { "spec.replicas": "3" },
      "replicas as a fraction": { "spec.replicas": 1.5 },
      "replicas beyond 32 bits": { "spec.replicas": 3_000_000_000 },
      "paused as a number": { "spec.paused": 1 },
      "containers as an object": { "spec.template.spec.containers": {} },
      "container as a text": { "spec.template.spec.containers[0]": "x" },
      "ports as numbers": { "spec.template.spec.containers[0].ports": [80] },
      "amount as an object": { "spec.template.spec.containers[0].resources.requests.cpu": {} },
      "spec as a list": { spec: [] },
      "unknown fields": { "spec.unknown": 1, "spec.template.spec.containers[0].unknown": 2 },
      "neither more nor less": {
        "spec.strategy.rollingUpdate": { maxUnavailable: 0, maxSurge: "0%" },
      },
      "recreate with update": { "spec.strategy.type": "Recreate" },
      "deadline below readiness": { "spec.progressDeadlineSeconds": 5 },
      "empty selector": { "spec.selector": {} },
      "selector that does not match": { "spec.selector.matchLabels": { app: "other" } },
      "deadline of pods": { "spec.template.spec.activeDeadlineSeconds": 5 },
      "pods that never restart": { "spec.template.spec.restartPolicy": "Never" },
    }),
    ...extras("full", "status", {
      "more updated": { "status.updatedReplicas": 4 },
      "more ready": { "status.readyReplicas": 4 },
      "more available": { "status.availableReplicas": 3 },
    }),
  ],
  statefulsets: [
    ...extras("collided", "status", {
      "fewer collisions": { "status.collisionCount": 1 },
      "no collisions": { "status.collisionCount": undefined },
      "more collisions": { "status.collisionCount": 3 },
      "an older generation": { "status.observedGeneration": 0 },
    }),
    ...extras("full", "create", {
      "deadline of pods": { "spec.template.spec.activeDeadlineSeconds": 5 },
      "pods that never restart": { "spec.template.spec.restartPolicy": "Never" },
      "unavailable pods": { "spec.updateStrategy.rollingUpdate.maxUnavailable": 0 },
      "delete with update": { "spec.updateStrategy.type": "OnDelete" },
      "claims twice": {
        "spec.volumeClaimTemplates[1]": { metadata: { name: "data" }, spec: {} },
      },
    }),
    ...extras("full", "update", {
      "another service": { "spec.serviceName": "other" },
      "more replicas": { "spec.replicas": 9 },
      "another selector": { "spec.selector.matchLabels.other": "x" },
    }),
    ...extras("full", "status", { "more ready": { "status.readyReplicas": 4 } }),
  ],
  daemonsets: [
    ...extras("collided", "status", {
      "fewer collisions": { "status.collisionCount": 1 },
      "no collisions": { "status.collisionCount": undefined },
      "more collisions": { "status.collisionCount": 3 },
      "an older generation": { "status.observedGeneration": 0 },
    }),
    ...extras("full", "create", {
      both: { "spec.updateStrategy.rollingUpdate": { maxUnavailable: 1, maxSurge: 1 } },
      neither: { "spec.updateStrategy.rollingUpdate": { maxUnavailable: 0, maxSurge: 0 } },
      "deadline of pods": { "spec.template.spec.activeDeadlineSeconds": 5 },
      "pods that never restart": { "spec.template.spec.restartPolicy": "OnFailure" },
      "empty selector": { "spec.selector": {} },
      "disk for writing": {
        "spec.template.spec.volumes": [{ name: "d", gcePersistentDisk: { pdName: "a" } }],
      },
    }),
  ],
  replicasets: extras("full", "create", {
    "disk for writing": {
      "spec.template.spec.volumes": [{ name: "d", gcePersistentDisk: { pdName: "a" } }],
    },
    "deadline of pods": { "spec.template.spec.activeDeadlineSeconds": 5 },
    "empty selector": { "spec.selector": {} },
  }),
  replicationcontrollers: extras("plain", "create", {
    "deadline of pods": { "spec.template.spec.activeDeadlineSeconds": 5 },
    "pods that never restart": { "spec.template.spec.restartPolicy": "Never" },
    "selector that does not match": { "spec.selector": { app: "other" } },
  }),
};
