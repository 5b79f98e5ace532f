import type { Affinity, NodeSelectorRequirement } from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import { expect, test } from "vitest";
import { affinityRule } from "./affinity.ts";

function problemsOf(affinity: Affinity, old?: Affinity): readonly string[] {
  const place = Place.root(undefined);
  affinityRule(old)(affinity, place);
  return place.errors.map(String);
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function beside(term: object): Affinity {
  return { podAffinity: { [REQUIRED]: [{ topologyKey: "zone", labelSelector: {}, ...term }] } };
}

test("a key that is taken from the pod is told of beside the list it is in", () => {
  const labelSelector = {
    matchLabels: { a: "b" },
    matchExpressions: [{ key: "a", operator: "Exists" }],
  };
  expect(problemsOf(beside({ labelSelector, matchLabelKeys: ["a"] }))).toEqual([
    `podAffinity.${REQUIRED}[0][0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`,
  ]);
});

test("a key is matched or mismatched, and needs a selector either way", () => {
  const keys = { matchLabelKeys: ["a"], mismatchLabelKeys: ["a"] };
  expect(problemsOf(beside(keys))).toEqual([
    `podAffinity.${REQUIRED}[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys`,
  ]);
  expect(problemsOf(beside({ matchLabelKeys: ["a"], labelSelector: undefined }))).toEqual([
    `podAffinity.${REQUIRED}[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
  ]);
});

test("a preference has a weight, and may ask for values that no label has", () => {
  const preference = { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] };
  const preferring = (weight: number) => ({
    nodeAffinity: { [PREFERRED]: [{ weight, preference }] },
  });
  expect(problemsOf(preferring(100))).toEqual([]);
  expect(problemsOf(preferring(101))).toEqual([
    `nodeAffinity.${PREFERRED}[0].weight: Invalid value: 101: must be in the range 1-100`,
  ]);
});

test.each<[Omit<NodeSelectorRequirement, "key">, readonly string[]]>([
  [
    { operator: "Lt", values: ["1", "2"] },
    [".values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"],
  ],
  [
    { operator: "Exists", values: ["1"] },
    [".values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
  ],
  [{ operator: "Nope" }, ['.operator: Invalid value: "Nope": not a valid selector operator']],
])("a required node: %j", (requirement, expected) => {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: "a", ...requirement }] }];
  const place = `nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0]`;
  const affinity = { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms } } };
  expect(problemsOf(affinity)).toEqual(expected.map((problem) => place + problem));
});

test("of the fields of a node only one name can be asked for", () => {
  const nodeSelectorTerms = [
    { matchFields: [{ key: "metadata.name", operator: "In", values: ["a", "b"] }] },
    { matchFields: [{ key: "spec.x", operator: "Exists" }] },
  ];
  const place = `nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  expect(problemsOf({ nodeAffinity: { [REQUIRED]: { nodeSelectorTerms } } })).toEqual([
    `${place}[0].matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
    `${place}[1].matchFields[0].operator: Invalid value: "Exists": not a valid selector operator`,
    `${place}[1].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key`,
  ]);
});

test("values that no label can have stay allowed where the old affinity had some", () => {
  const asking = (value: string): Affinity =>
    beside({
      labelSelector: { matchExpressions: [{ key: "a", operator: "In", values: [value] }] },
    });
  expect(problemsOf(asking("b c"))).toHaveLength(1);
  expect(problemsOf(asking("b c"), asking("d e"))).toEqual([]);
  expect(problemsOf(asking("b c"), asking("d"))).toHaveLength(1);
});
