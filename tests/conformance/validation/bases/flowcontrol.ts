import type {
  FlowSchema,
  PriorityLevelConfiguration,
} from "@homeostat/object-model/flowcontrol-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const condition = {
  type: "Dangling",
  status: "False",
  lastTransitionTime: "2020-01-01T00:00:00Z",
  reason: "Found",
  message: "x",
};

/** They match nobody, so that no request is held up by them. */
const flowSchemas = {
  plain: { spec: { priorityLevelConfiguration: { name: "global-default" } } },
  full: {
    spec: {
      priorityLevelConfiguration: { name: "workload-low" },
      matchingPrecedence: 9000,
      distinguisherMethod: { type: "ByUser" },
      rules: [
        {
          subjects: [
            { kind: "User", user: { name: "nobody-here" } },
            { kind: "Group", group: { name: "no-group" } },
            { kind: "ServiceAccount", serviceAccount: { name: "none", namespace: "nowhere" } },
          ],
          resourceRules: [
            {
              verbs: ["get", "list"],
              apiGroups: ["apps"],
              resources: ["deployments"],
              clusterScope: true,
              namespaces: ["nowhere"],
            },
          ],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/nothing", "/none/*"] }],
        },
      ],
    },
    status: { conditions: [condition] },
  },
} satisfies Variants<FlowSchema>;

const priorityLevels = {
  queued: {
    spec: {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: 5,
        lendablePercent: 50,
        borrowingLimitPercent: 100,
        limitResponse: {
          type: "Queue",
          queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 },
        },
      },
    },
    status: { conditions: [condition] },
  },
  refused: { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } },
} satisfies Variants<PriorityLevelConfiguration>;

const flow = { group: "flowcontrol.apiserver.k8s.io", version: "v1" } as const;

export const flowKinds: readonly ProbedKind[] = [
  { ...flow, name: "flowschemas", plural: "flowschemas", variants: flowSchemas },
  {
    ...flow,
    name: "prioritylevelconfigurations",
    plural: "prioritylevelconfigurations",
    variants: priorityLevels,
  },
];
