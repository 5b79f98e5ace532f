import { schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { validateChange, validateNew } from "./validate-object.ts";

const context = { operation: "create", subresource: "", now: 0 } as const;
const match = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
const rule = {
  operations: ["CREATE"],
  apiGroups: ["apps"],
  apiVersions: ["v1"],
  resources: ["deployments"],
};
const webhook = {
  name: "check.example.com",
  clientConfig: { url: "https://hook.example/check" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};

function problemsOf(kind: string, object: object): readonly string[] {
  const schema = schemaOf(`admissionregistration.v1.${kind}`);
  return validateNew(schema, { metadata: { name: "x" }, ...object }, context).map(String);
}

function policy(spec: object): object {
  const matchConstraints = { ...match, resourceRules: [rule] };
  return { spec: { failurePolicy: "Fail", matchConstraints, ...spec } };
}

function problemsOfWebhook(changes: object): readonly string[] {
  return problemsOf("ValidatingWebhookConfiguration", { webhooks: [{ ...webhook, ...changes }] });
}

const FORM = "; desired format: https://host[/path]";

test.each<[string, readonly string[]]>([
  ["https://hook.example/check", []],
  ["HTTPS://hook", []],
  ["http://hook", [`Invalid value: "http": 'https' is the only allowed URL scheme${FORM}`]],
  ["https:///x", [`Invalid value: "": host must be specified${FORM}`]],
  ["https://u:p@a", ['Invalid value: "u:p": user information is not permitted in the URL']],
  [
    "https://a?b#c",
    [
      'Invalid value: "c": fragments are not permitted in the URL',
      'Invalid value: "b": query parameters are not permitted in the URL',
    ],
  ],
  [
    "https://a%20b",
    [
      `Required value: url must be a valid URL: parse "https://a%20b": invalid URL escape "%20"${FORM}`,
    ],
  ],
])("a webhook at %s", (url, expected) => {
  const told = expected.map((text) => `webhooks[0].clientConfig.url: ${text}`);
  expect(problemsOfWebhook({ clientConfig: { url } })).toEqual(told);
});

test("a service without a name is told of its namespace", () => {
  const service = { namespace: "x", port: 443, path: "/a//b" };
  expect(problemsOfWebhook({ clientConfig: { service } })).toEqual([
    "webhooks[0].clientConfig.service.namespace: Required value",
    'webhooks[0].clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty',
  ]);
});

test("resources that others cover are refused", () => {
  const resources = ["a/*", "*/b", "a/b"];
  expect(problemsOfWebhook({ rules: [{ ...rule, resources }] })).toEqual([
    "webhooks[0].rules[0].resources[2]: Invalid value: \"a/b\": if 'a/*' is present, must not specify a/b",
    "webhooks[0].rules[0].resources[2]: Invalid value: \"a/b\": if '*/b' is present, must not specify a/b",
  ]);
});

test("what a webhook was before may stay", () => {
  const schema = schemaOf("admissionregistration.v1.MutatingWebhookConfiguration");
  const conditions = [{ name: "a", expression: "not an expression" }];
  const old = {
    webhooks: [{ ...webhook, sideEffects: "Some", matchConditions: conditions }],
  };
  const change = (value: object, before: object): string[] =>
    validateChange(schema, { value, old: before }, { ...context, operation: "update" }).map(String);
  expect(change(old, old)).toEqual([]);
  expect(
    change({ webhooks: [{ ...webhook, sideEffects: "Some" }] }, { webhooks: [webhook] }),
  ).toEqual([
    'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
  ]);
});

const VALIDATION = "spec.validations[0].expression: Invalid value:";

test.each<[object, readonly string[]]>([
  [{ validations: [{ expression: "object.spec.replicas <= 5" }] }, []],
  [
    { validations: [{ expression: "request.kind" }] },
    [`${VALIDATION} "request.kind": must evaluate to bool but got kubernetes.GroupVersionKind`],
  ],
  [
    { validations: [{ expression: "params.max > 1" }] },
    [
      `${VALIDATION} "params.max > 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.max > 1\n | ^`,
    ],
  ],
  [
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "params.max > 1" }],
    },
    [],
  ],
  [
    {
      variables: [
        { name: "a", expression: "1" },
        { name: "b", expression: "variables.a + 1" },
      ],
      validations: [{ expression: "variables.b == 2" }],
    },
    [],
  ],
  [
    {
      variables: [{ name: "a", expression: "1" }],
      validations: [{ expression: "variables.a == 'x'" }],
    },
    [
      `${VALIDATION} "variables.a == 'x'": compilation failed: ERROR: <input>:1:13: found no matching overload for '_==_' applied to '(int, string)'\n | variables.a == 'x'\n | ............^`,
    ],
  ],
  [
    {
      validations: [
        {
          expression: "authorizer.requestResource.check('get').allowed()",
          messageExpression: "authorizer.path('/').check('get').reason()",
        },
      ],
    },
    [
      "spec.validations[0].messageExpression: Invalid value: \"authorizer.path('/').check('get').reason()\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')\n | authorizer.path('/').check('get').reason()\n | ^",
    ],
  ],
  [
    { auditAnnotations: [{ key: "a", valueExpression: " 1 " }] },
    [
      'spec.auditAnnotations[0].valueExpression: Invalid value: " 1 ": must evaluate to one of [string null_type] but got int',
    ],
  ],
  [
    {},
    [
      "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
      "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item",
    ],
  ],
])("a policy that validates: %j", (spec, expected) => {
  expect(problemsOf("ValidatingAdmissionPolicy", policy(spec))).toEqual(expected);
});

const APPLY = "spec.mutations[0].applyConfiguration.expression: Invalid value:";
const PATCH = "spec.mutations[0].jsonPatch.expression: Invalid value:";

test.each<[string, readonly string[]]>([
  ["Object{spec: Object.spec{replicas: 1}}", []],
  ["object.x ? Object{} : Object{spec: 1}", []],
  ["Object.spec{}", [`${APPLY} "Object.spec{}": must evaluate to Object but got Object.spec`]],
  ["dyn(Object{})", [`${APPLY} "dyn(Object{})": must evaluate to Object but got dyn`]],
  ["[Object{}]", [`${APPLY} "[Object{}]": must evaluate to Object but got list(Object)`]],
  ["null", [`${APPLY} "null": must evaluate to Object but got null_type`]],
])("a policy that applies %s", (expression, expected) => {
  const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }];
  const spec = { reinvocationPolicy: "Never", mutations };
  expect(problemsOf("MutatingAdmissionPolicy", policy(spec))).toEqual(expected);
});

test.each<[string, readonly string[]]>([
  ["[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), value: 1}]", []],
  [
    "[dyn(JSONPatch{})]",
    [`${PATCH} "[dyn(JSONPatch{})]": must evaluate to list(JSONPatch) but got list(dyn)`],
  ],
  [
    "[JSONPatch{op: 1}]",
    [
      `${PATCH} "[JSONPatch{op: 1}]": compilation failed: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'\n | [JSONPatch{op: 1}]\n | .............^`,
    ],
  ],
])("a policy that patches %s", (expression, expected) => {
  const mutations = [{ patchType: "JSONPatch", jsonPatch: { expression } }];
  const spec = { reinvocationPolicy: "Never", mutations };
  expect(problemsOf("MutatingAdmissionPolicy", policy(spec))).toEqual(expected);
});

test("policies that change objects are not asked about deletions", () => {
  const matchResources = { ...match, resourceRules: [{ ...rule, operations: ["DELETE"] }] };
  const spec = { policyName: "a", matchResources };
  expect(problemsOf("MutatingAdmissionPolicyBinding", { spec })).toEqual([
    'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
  ]);
});

test("the parameters of a binding are named or selected, not both", () => {
  const paramRef = { name: "a", selector: {}, parameterNotFoundAction: "Fail" };
  const spec = { policyName: "a", paramRef, validationActions: ["Deny", "Warn"] };
  expect(problemsOf("ValidatingAdmissionPolicyBinding", { spec })).toEqual([
    "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
    "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
    'spec.paramRef.parameterNotFoundAction: Unsupported value: "Fail": supported values: "Deny", "Allow"',
    'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
  ]);
});
