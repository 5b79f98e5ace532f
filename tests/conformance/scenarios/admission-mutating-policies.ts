/** Policies that change what is written, by expressions. */
import type { JsonObject } from "@homeostat/object-model";
import { del, get, patch, pause, post, type Scenario, scenario } from "../scenario.ts";
import { changing, data, gone, here, map, settled } from "./admission-policy-steps.ts";

const patches = (expression: string): JsonObject => ({
  mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
});
const applies = (...expressions: string[]): JsonObject => ({
  mutations: expressions.map((expression) => ({
    patchType: "ApplyConfiguration",
    applyConfiguration: { expression },
  })),
});

export const admissionMutatingPolicies: readonly Scenario[] = [
  scenario(
    "a configuration is laid over what is written",
    changing(
      "a",
      applies(
        "Object{metadata: Object.metadata{labels: Object.metadata.labels{team: 'a'}}, data: {'made': object.metadata.name}}",
        "has(object.data) && 'made' in object.data ? Object{data: {'seen': 'yes'}} : Object{}",
      ),
    ),
    settled,
    map("a", data({ own: "1" })),
    patch("configmaps/a", ["merge", data({ made: "otherwise" })]),
    get("configmaps/a"),
    gone("mutating", "a"),
  ),
  scenario(
    "a patch is applied to what is written",
    changing(
      "a",
      patches(
        "[JSONPatch{op: 'test', path: '/metadata/name', value: 'a'}, JSONPatch{op: 'add', path: '/data', value: {'x': 'y'}}, JSONPatch{op: 'add', path: '/metadata/labels', value: Object.metadata.labels{b: 'c'}}, JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('d/e'), value: 'f'}, JSONPatch{op: 'copy', from: '/data/x', path: '/data/z'}]",
      ),
    ),
    settled,
    map("a"),
    map("b"),
    gone("mutating", "a"),
  ),
  scenario(
    "changes that cannot be made",
    changing("a", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'a'" }],
      ...patches("[JSONPatch{op: 'remove', path: '/data/x'}]"),
    }),
    changing("b", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'b'" }],
      ...patches("[JSONPatch{op: 'add', path: '/nothing', value: 1}]"),
    }),
    changing("c", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'c'" }],
      ...applies("Object{nothing: 1}"),
    }),
    changing("d", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'd'" }],
      ...applies("Object{metadata: Object.wrong{labels: {'a': 'b'}}}"),
    }),
    changing("e", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'e'" }],
      ...applies("Object{data: {'a': object.data.b}}"),
    }),
    changing("f", {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'f'" }],
      ...applies("Object{data: {'a': object.data.b}}"),
    }),
    changing("g", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'g'" }],
      ...patches("[JSONPatch{op: 'add', path: '/data', value: 7}]"),
    }),
    changing("h", {
      matchConditions: [{ name: "x", expression: "object.data.h == 'g'" }],
      failurePolicy: "Ignore",
      ...patches("[JSONPatch{op: 'wrong', path: '/data'}]"),
    }),
    settled,
    ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => map(name)),
    gone("mutating", "a", "b", "c", "d", "e", "f", "g", "h"),
  ),
  scenario(
    "lists with keys are merged, those without may not be",
    post("mutatingadmissionpolicies", {
      metadata: { name: "${ns}-a" },
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              operations: ["CREATE"],
              apiGroups: ["apps"],
              apiVersions: ["v1"],
              resources: ["deployments"],
            },
          ],
        },
        reinvocationPolicy: "Never",
        variables: [{ name: "name", expression: "object.metadata.name" }],
        ...applies(
          "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'c', env: [Object.spec.template.spec.containers.env{name: 'E', value: 'f'}]}, Object.spec.template.spec.containers{name: 'sidecar', image: 's'}]}}}}",
          // One at a time: kube-apiserver names several in whatever order.
          "variables.name == 'args' ? Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'c', args: ['x']}]}}}} : Object{}",
          "variables.name == 'tolerations' ? Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{tolerations: [Object.spec.template.spec.tolerations{key: 'k'}]}}}} : Object{}",
        ),
      },
    }),
    post("mutatingadmissionpolicybindings", {
      metadata: { name: "${ns}-a" },
      spec: { policyName: "${ns}-a", matchResources: { namespaceSelector: here } },
    }),
    settled,
    ["good", "args", "tolerations"].map((name) =>
      post("deployments", {
        metadata: { name },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: {
            metadata: { labels: { a: "b" } },
            spec: { containers: [{ name: "c", image: "i", env: [{ name: "D", value: "e" }] }] },
          },
        },
      }),
    ),
    gone("mutating", "a"),
  ),
  scenario(
    "policies with parameters change too",
    post("secrets", { metadata: { name: "values" }, stringData: { k: "v" } }),
    changing(
      "a",
      {
        paramKind: { apiVersion: "v1", kind: "Secret" },
        ...applies("Object{data: {'from': params.data.k + '/' + params.metadata.name}}"),
      },
      { paramRef: { name: "values", parameterNotFoundAction: "Deny" } },
    ),
    changing(
      "b",
      {
        paramKind: { apiVersion: "v1", kind: "Secret" },
        ...applies("Object{data: {'never': 'x'}}"),
      },
      { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
    ),
    settled,
    map("a"),
    del("secrets/values"),
    { ...pause(1500), peerOnly: true },
    map("b"),
    gone("mutating", "a", "b"),
  ),
  scenario(
    "a policy that wants it sees what a later one made",
    changing("a", {
      reinvocationPolicy: "IfNeeded",
      matchConditions: [{ name: "x", expression: "has(object.data) && 'b' in object.data" }],
      ...applies("Object{data: {'a': 'after b'}}"),
    }),
    changing("b", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'm'" }],
      ...applies("Object{data: {'b': '1'}}"),
    }),
    settled,
    map("n", data({ b: "0" })),
    gone("mutating", "a", "b"),
  ),
];
