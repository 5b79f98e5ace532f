/** Policies that judge what is written, by expressions. */
import type { JsonValue } from "@homeostat/object-model";
import { del, patch, pause, post, type Scenario, scenario } from "../scenario.ts";
import {
  data,
  gone,
  here,
  judging,
  map,
  maps,
  settled,
  validations,
} from "./admission-policy-steps.ts";

const paramKind: JsonValue = { apiVersion: "v1", kind: "ConfigMap" };

export const admissionPolicies: readonly Scenario[] = [
  scenario(
    "a policy denies with its message, its reason and its code",
    judging("a", validations({ expression: "object.metadata.name != 'a'" })),
    judging("b", validations({ expression: "object.metadata.name != 'b'", message: " no b " })),
    judging(
      "c",
      validations({
        expression: "object.metadata.name != 'c'",
        messageExpression: "'not ' + object.metadata.name + ' of ' + request.userInfo.username",
        message: "unused",
        reason: "Forbidden",
      }),
    ),
    judging(
      "d",
      validations({
        expression: "object.metadata.name != 'd'",
        messageExpression: "'two\\nlines'",
        reason: "RequestEntityTooLarge",
      }),
    ),
    settled,
    ["a", "b", "c", "d", "e"].map((name) => map(name)),
    gone("validating", "a", "b", "c", "d"),
  ),
  scenario(
    "all validations are looked at, the first that denies is told; errors deny too",
    judging("a", validations("object.data.x == '1'", "object.data.y == '2'", "object.data.z > 3")),
    settled,
    map("a"),
    map("b", data({ x: "1" })),
    map("c", data({ x: "1", y: "1" })),
    map("d", data({ x: "1", y: "2", z: "4" })),
    gone("validating", "a"),
  ),
  scenario(
    "with failurePolicy Ignore errors are nothing, denials still deny",
    judging("a", { failurePolicy: "Ignore", ...validations("object.data.x == '1'") }),
    settled,
    map("a"),
    map("b", data({ x: "2" })),
    gone("validating", "a"),
  ),
  scenario(
    "what says which webhooks are asked is judged, what says who judges is not",
    judging("a", {
      ...validations("object.metadata.name != '${ns}-w'"),
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ["admissionregistration.k8s.io"],
            apiVersions: ["*"],
            operations: ["CREATE"],
            resources: ["*"],
          },
        ],
      },
    }),
    settled,
    post("validatingwebhookconfigurations", { metadata: { name: "${ns}-w" } }),
    post("mutatingwebhookconfigurations", { metadata: { name: "${ns}-w" } }),
    post("validatingadmissionpolicybindings", {
      metadata: { name: "${ns}-w" },
      spec: { policyName: "none", validationActions: ["Deny"] },
    }),
    del("validatingadmissionpolicybindings/${ns}-w"),
    gone("validating", "a"),
  ),
  scenario(
    "a binding may warn instead",
    judging("a", validations("object.metadata.name != 'a'", "false"), {
      validationActions: ["Warn", "Audit"],
    }),
    settled,
    map("a"),
    gone("validating", "a"),
  ),
  scenario(
    "conditions, variables and what expressions know",
    judging("a", {
      matchConditions: [
        { name: "x", expression: "request.operation != 'DELETE'" },
        { name: "y", expression: "object.metadata.name.startsWith('m')" },
      ],
      variables: [
        { name: "size", expression: "has(object.data) ? size(object.data) : 0" },
        { name: "twice", expression: "variables.size * 2" },
      ],
      ...validations(
        { expression: "variables.twice < 4", messageExpression: "string(variables.twice)" },
        {
          expression:
            "namespaceObject.metadata.name == request.namespace && request.resource.resource == 'configmaps'",
        },
        { expression: "oldObject == null || oldObject.metadata.uid == object.metadata.uid" },
      ),
    }),
    settled,
    map("other", data({ a: "1", b: "2", c: "3" })),
    map("m1", data({ a: "1" })),
    map("m2", data({ a: "1", b: "2" })),
    patch("configmaps/m1", ["merge", data({ b: "2" })]),
    patch("configmaps/m1", ["merge", data({ a: "2" })]),
    del("configmaps/m1"),
    gone("validating", "a"),
  ),
  scenario(
    "conditions and variables that fail",
    judging("a", {
      matchConditions: [{ name: "x", expression: "object.data.x == 'y'" }],
      ...validations("false"),
    }),
    judging("b", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'b'" }],
      variables: [{ name: "v", expression: "object.data.v" }],
      ...validations("variables.v == 'w'"),
    }),
    settled,
    map("a"),
    map("b", data({ x: "n" })),
    gone("validating", "a", "b"),
  ),
  scenario(
    "parameters by name and by selector, there or not",
    map("limits", data({ max: "2" })),
    post("configmaps", { metadata: { name: "other", labels: { l: "m" } }, ...data({ max: "1" }) }),
    judging(
      "a",
      {
        paramKind,
        ...validations({
          expression: "!has(object.data) || size(object.data) <= int(params.data.max)",
          messageExpression: "'more than ' + params.data.max + ' of ' + params.metadata.name",
        }),
      },
      { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
    ),
    judging(
      "b",
      {
        paramKind,
        ...validations("!has(object.data) || size(object.data) <= int(params.data.max)"),
      },
      {
        paramRef: { selector: { matchLabels: { l: "m" } }, parameterNotFoundAction: "Allow" },
        validationActions: ["Warn"],
      },
    ),
    settled,
    map("c", data({ a: "1" })),
    map("d", data({ a: "1", b: "2" })),
    map("e", data({ a: "1", b: "2", c: "3" })),
    del("configmaps/limits"),
    { ...pause(1500), peerOnly: true },
    map("f"),
    gone("validating", "a", "b"),
  ),
  scenario(
    "a policy whose kind of parameters is not there",
    judging(
      "a",
      { paramKind: { apiVersion: "example.com/v1", kind: "Nothing" }, ...validations("true") },
      { paramRef: { name: "x", parameterNotFoundAction: "Deny" } },
    ),
    settled,
    map("a"),
    gone("validating", "a"),
  ),
  scenario(
    "expressions may ask what the user may do",
    judging(
      "a",
      validations(
        {
          expression:
            "authorizer.group('').resource('configmaps').namespace('${ns}').check('create').allowed()",
        },
        { expression: "authorizer.path('/healthz').check('get').allowed()" },
        {
          expression:
            "authorizer.serviceAccount('${ns}', 'a').requestResource == null || authorizer.serviceAccount('${ns}', 'a').group('').resource('secrets').check('get').allowed()",
        },
      ),
    ),
    judging("b", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'b'" }],
      ...validations({
        expression:
          "authorizer.serviceAccount('${ns}', 'a').group('').resource('secrets').namespace('${ns}').check('get').allowed()",
        messageExpression: "'the account may not: ' + request.name",
      }),
    }),
    judging("c", validations("authorizer.requestResource.check('anything').allowed()")),
    judging("d", {
      matchConditions: [{ name: "x", expression: "object.metadata.name == 'd'" }],
      ...validations(
        "authorizer.group('').resource('').check('get').allowed() || request.name == 'none'",
      ),
    }),
    settled,
    ["a", "b", "d"].map((name) => map(name)),
    gone("validating", "a", "b", "c", "d"),
  ),
  scenario(
    "expressions that cost too much",
    judging(
      "a",
      validations(
        "request.userInfo.groups.all(g, [1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, a + b + c + d + e > 0))))))",
      ),
    ),
    settled,
    map("a"),
    gone("validating", "a"),
  ),
  scenario(
    "rules leave out names and resources",
    post("validatingadmissionpolicies", {
      metadata: { name: "${ns}-a" },
      spec: {
        matchConstraints: {
          resourceRules: [
            { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] },
          ],
          excludeResourceRules: [
            { ...maps, operations: ["CREATE"], resourceNames: ["free"] },
            { ...maps, resources: ["secrets"], operations: ["*"] },
          ],
        },
        ...validations({ expression: "false", messageExpression: "request.resource.resource" }),
      },
    }),
    post("validatingadmissionpolicybindings", {
      metadata: { name: "${ns}-a" },
      spec: {
        policyName: "${ns}-a",
        validationActions: ["Deny"],
        matchResources: {
          namespaceSelector: here,
          objectSelector: { matchLabels: { judged: "yes" } },
        },
      },
    }),
    settled,
    post("configmaps", { metadata: { name: "a", labels: { judged: "yes" } } }),
    post("configmaps", { metadata: { name: "free", labels: { judged: "yes" } } }),
    post("configmaps", { metadata: { name: "b" } }),
    post("secrets", { metadata: { name: "a", labels: { judged: "yes" } } }),
    post("services", {
      metadata: { name: "a", labels: { judged: "yes" } },
      spec: { ports: [{ port: 1 }] },
    }),
    del("configmaps/free"),
    post("configmaps", { metadata: { generateName: "g-", labels: { judged: "yes" } } }),
    gone("validating", "a"),
  ),
];
