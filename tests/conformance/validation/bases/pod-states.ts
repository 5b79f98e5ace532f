import type { Pod } from "@homeostat/object-model/core-v1";
import type { Variants } from "../probe.ts";

const image = "registry.example/app:1";

/** Pods in states that forbid some changes. */
export const podStates = {
  finished: {
    spec: { restartPolicy: "Never", nodeName: "node-1", containers: [{ name: "app", image }] },
    status: {
      phase: "Succeeded",
      containerStatuses: [
        {
          name: "app",
          image,
          imageID: "i",
          ready: false,
          restartCount: 0,
          state: { terminated: { exitCode: 0 } },
        },
      ],
    },
  },
  mirrored: {
    metadata: {
      annotations: {
        "kubernetes.io/config.mirror": "x",
        "container.apparmor.security.beta.kubernetes.io/app": "unconfined",
      },
    },
    spec: { nodeName: "node-1", containers: [{ name: "app", image }] },
  },
  held: {
    spec: {
      schedulingGates: [{ name: "example.com/wait" }],
      nodeSelector: { disk: "ssd" },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
          },
        },
      },
      containers: [{ name: "app", image }],
    },
  },
} satisfies Variants<Pod>;
