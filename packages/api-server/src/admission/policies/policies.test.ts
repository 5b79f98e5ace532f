import { expect, test } from "vitest";
import { AdmissionBench, type Answered, REGISTRATION } from "../fixtures/admission-bench.ts";

const maps = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

interface Given {
  readonly kind: "mutating" | "validating";
  readonly name?: string;
  readonly spec: object;
  readonly binding?: object;
}

async function bind(
  bench: AdmissionBench,
  { kind, name = "p", spec, binding = {} }: Given,
): Promise<void> {
  const isMutating = kind === "mutating";
  const operations = isMutating ? ["CREATE", "UPDATE"] : ["*"];
  await bench.make(`${REGISTRATION}/${kind}admissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [{ ...maps, operations }] },
      ...(isMutating ? { reinvocationPolicy: "Never" } : {}),
      ...spec,
    },
  });
  await bench.make(`${REGISTRATION}/${kind}admissionpolicybindings`, {
    metadata: { name: `${name}-binding` },
    spec: { policyName: name, ...(isMutating ? {} : { validationActions: ["Deny"] }), ...binding },
  });
}

const lays = (...expressions: readonly string[]): object => ({
  mutations: expressions.map((expression) => ({
    patchType: "ApplyConfiguration",
    applyConfiguration: { expression },
  })),
});

const validating = (expression: string, more: object = {}): Given => ({
  kind: "validating",
  spec: { validations: [{ expression, ...more }] },
});

function denied({ object }: Answered): string {
  return object.message?.replace(/^.*denied request: /, "") ?? "";
}

test("a policy counts from the commit of its binding to the commit that ends it", async () => {
  const bench = await AdmissionBench.open();
  await bind(bench, validating("false"));
  expect((await bench.createMap({ metadata: { name: "m" } })).status).toBe(422);
  await bench.ask(`DELETE ${REGISTRATION}/validatingadmissionpolicybindings/p-binding`);
  expect((await bench.createMap({ metadata: { name: "m" } })).status).toBe(201);
});

test("a denial names policy and binding, in the message and as the cause", async () => {
  const bench = await AdmissionBench.open();
  await bind(
    bench,
    validating("object.metadata.name == 'other'", { message: "no", reason: "Forbidden" }),
  );
  const { status, object } = await bench.createMap({ metadata: { name: "m" } });
  const why = "ValidatingAdmissionPolicy 'p' with binding 'p-binding' denied request: no";
  expect(status).toBe(403);
  expect(object).toMatchObject({
    reason: "Forbidden",
    message: `configmaps "m" is forbidden: ${why}`,
    details: { name: "m", kind: "configmaps", causes: [{ message: why }] },
  });
});

test("a variable that takes long is computed in slices, once, and costs what it costs", async () => {
  const bench = await AdmissionBench.open();
  const list = `[${Array.from({ length: 40 }, (_, index) => index).join(",")}]`;
  const nested = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
  await bind(bench, {
    kind: "validating",
    spec: {
      variables: [
        { name: "all", expression: nested },
        { name: "again", expression: "variables.all && variables.all" },
      ],
      validations: [{ expression: "variables.again && variables.all && request.name == 'm'" }],
    },
  });
  expect((await bench.createMap({ metadata: { name: "m" } })).status).toBe(201);
  expect(denied(await bench.createMap({ metadata: { name: "n" } }))).toContain("failed expression");
});

test("an expression that costs more than allowed is an error, and so is a policy that does", async () => {
  const bench = await AdmissionBench.open();
  const list = `[${Array.from({ length: 60 }, (_, index) => index).join(",")}]`;
  const nested = `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d >= 0))))`;
  await bind(bench, validating(nested));
  expect(denied(await bench.createMap({ metadata: { name: "m" } }))).toContain(
    "resulted in error: operation cancelled: actual cost limit exceeded",
  );
});

test("custom resources are judged in the version that the policy names", async () => {
  const bench = await AdmissionBench.open();
  const version = (name: string, storage: boolean): object => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { size: { type: "integer" } } },
        },
      },
    },
  });
  await bench.make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
      versions: [version("v1", true), version("v2", false)],
    },
  });
  const gadgets = { apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["gadgets"] };
  const matchConstraints = { resourceRules: [{ ...gadgets, operations: ["CREATE"] }] };
  await bind(bench, {
    kind: "validating",
    spec: {
      matchConstraints,
      validations: [
        {
          expression: "object.spec.size < 3",
          messageExpression: "object.apiVersion + ' for ' + request.requestKind.version",
        },
      ],
    },
  });
  await bind(bench, {
    kind: "mutating",
    spec: { matchConstraints, ...lays("Object{spec: Object.spec{size: object.spec.size + 1}}") },
  });
  const create = (size: number): Promise<Answered> =>
    bench.ask("POST /apis/example.com/v2/namespaces/default/gadgets", {
      apiVersion: "example.com/v2",
      kind: "Gadget",
      metadata: { name: "g" },
      spec: { size },
    });
  expect(denied(await create(2))).toBe("example.com/v1 for v2");
  const { status, object } = await create(1);
  expect(status).toBe(201);
  expect(object).toMatchObject({ apiVersion: "example.com/v2", spec: { size: 2 } });
});

test("keys like __proto__ are data for policies too", async () => {
  const bench = await AdmissionBench.open();
  await bind(bench, {
    kind: "mutating",
    spec: lays("Object{data: {'__proto__': 'own', 'constructor': 'c'}}"),
  });
  await bind(
    bench,
    validating("object.data['__proto__'] == 'own' && !('toString' in object.data)"),
  );
  const { status, object } = await bench.createMap({ metadata: { name: "m" } });
  expect(status).toBe(201);
  expect(Object.entries(object.data ?? {})).toEqual([
    ["__proto__", "own"],
    ["constructor", "c"],
  ]);
});

test("a policy that wants it is asked again when a later one changed the object", async () => {
  const bench = await AdmissionBench.open();
  const count = (key: string): object =>
    lays(`Object{data: {'${key}': string(has(object.data) ? size(object.data) : 0)}}`);
  await bind(bench, {
    kind: "mutating",
    name: "a",
    spec: { ...count("a"), reinvocationPolicy: "IfNeeded" },
  });
  await bind(bench, { kind: "mutating", name: "b", spec: count("b") });
  const { object } = await bench.createMap({ metadata: { name: "m" } });
  expect(object.data).toEqual({ a: "2", b: "1" });
});

test("reviews and the registrations themselves are beyond policies", async () => {
  const bench = await AdmissionBench.open();
  const everything = [
    { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] },
  ];
  await bind(bench, {
    kind: "validating",
    spec: {
      matchConstraints: { resourceRules: everything },
      validations: [{ expression: "false" }],
    },
  });
  const review = await bench.ask("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    spec: { resourceAttributes: { verb: "get", resource: "pods" } },
  });
  expect(review.status).toBe(201);
  expect((await bench.createMap({ metadata: { name: "m" } })).status).toBe(422);
  const policy = `${REGISTRATION}/validatingadmissionpolicies/p`;
  expect((await bench.ask(`DELETE ${policy}`)).status).toBe(200);
});

test("what a denial does is the binding's to say", async () => {
  const bench = await AdmissionBench.open();
  await bind(bench, {
    ...validating("false", { message: "not so" }),
    binding: { validationActions: ["Warn"] },
  });
  const { status, warnings } = await bench.createMap({ metadata: { name: "m" } });
  expect(status).toBe(201);
  expect(warnings.join()).toContain(
    "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p-binding': not so",
  );
});
