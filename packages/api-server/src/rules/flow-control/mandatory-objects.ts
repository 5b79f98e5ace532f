/**
 * What flow control cannot do without: schemas and levels of these names are as they are here, or are
 * not there.
 */
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
} from "@homeostat/object-model/flowcontrol-v1";

export const EXEMPT = "exempt";
const CATCH_ALL = "catch-all";

/** Everything that members of these groups do. */
function everythingBy(...groups: readonly string[]): PolicyRulesWithSubjects[] {
  const any = ["*"];
  return [
    {
      subjects: groups.map((name) => ({ kind: "Group", group: { name } })),
      resourceRules: [
        { verbs: any, apiGroups: any, resources: any, clusterScope: true, namespaces: any },
      ],
      nonResourceRules: [{ verbs: any, nonResourceURLs: any }],
    },
  ];
}

export const mandatorySchemas: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  [
    EXEMPT,
    {
      priorityLevelConfiguration: { name: EXEMPT },
      matchingPrecedence: 1,
      rules: everythingBy("system:masters"),
    },
  ],
  [
    CATCH_ALL,
    {
      priorityLevelConfiguration: { name: CATCH_ALL },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: "ByUser" },
      rules: everythingBy("system:unauthenticated", "system:authenticated"),
    },
  ],
]);

export const mandatoryLevels: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map([
  [EXEMPT, { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  [
    CATCH_ALL,
    {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: 5,
        limitResponse: { type: "Reject" },
        lendablePercent: 0,
      },
    },
  ],
]);
