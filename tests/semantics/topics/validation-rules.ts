/** Rules of a definition's schema, written in CEL (semantic 54). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import {
  causesIn,
  DEFINITIONS,
  define,
  definition,
  type Version,
  version,
  WIDGETS,
  widget,
} from "../definition.ts";
import { type OpenPlane, openFor } from "../open-for.ts";
import { patchType } from "../requests.ts";

const RULES = "x-kubernetes-validations";

/** A version whose spec has these properties and rules. */
function ruled(properties: JsonObject, ...rules: JsonObject[]): Version {
  return version({ properties: { spec: { type: "object", properties, [RULES]: rules } } });
}

const sizes = { min: { type: "integer" }, max: { type: "integer" } };

export function validationRulesSuite(open: OpenPlane): void {
  test("54: a rule that does not compile, or may cost too much, is refused with its definition", async () => {
    const { requests } = await openFor(open);
    const judge = async (made: Version): Promise<readonly string[]> =>
      causesIn(await requests.call("POST", DEFINITIONS, { body: definition([made]) }));
    const place = "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0]";
    const [undeclared] = await judge(ruled(sizes, { rule: "self.mid > 1" }));
    expect(undeclared).toMatch(
      /\.rule: Invalid value: .*compilation failed: ERROR: <input>:1:5: undefined field 'mid'/s,
    );
    const [notBool] = await judge(ruled(sizes, { rule: "self.min" }));
    expect(notBool).toContain("must evaluate to a bool");
    const list = { type: "array", items: { type: "string" } };
    const costly = await judge(
      ruled({ a: list, b: list }, { rule: "self.a.all(x, self.b.all(y, x != y))" }),
    );
    expect(costly.join("\n")).toContain("estimated rule cost exceeds budget by factor of");
    expect(costly[0]).toContain(place.slice(0, 30));
  });

  test("54: a rule judges, in the words that its author chose", async () => {
    const { requests } = await openFor(open);
    await define(requests, [
      ruled(
        sizes,
        { rule: "self.min <= self.max" },
        { rule: "self.min >= 0", message: "min is negative", fieldPath: ".min" },
        {
          rule: "self.max < 100",
          messageExpression: "self.max > 150 ? 'max is very large' : 'max is large'",
          reason: "FieldValueForbidden",
        },
      ),
    ]);
    const body = widget("a", { spec: { min: -5, max: -10 } });
    const refused = await requests.call("POST", WIDGETS, { body });
    expect(causesIn(refused)).toEqual([
      "spec: Invalid value: failed rule: self.min <= self.max",
      "spec.min: Invalid value: min is negative",
    ]);
    const large = await requests.call("POST", WIDGETS, {
      body: widget("a", { spec: { min: 1, max: 200 } }),
    });
    expect(causesIn(large)).toEqual(["spec: Forbidden: max is very large"]);
    await requests.create(WIDGETS, widget("a", { spec: { min: 1, max: 2 } }));
  });

  test("54: a rule of change is asked where old and new belong together", async () => {
    const { requests } = await openFor(open);
    const keyed = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, size: { type: "integer" } },
        [RULES]: [{ rule: "self.size >= oldSelf.size", message: "must not shrink" }],
      },
    };
    await define(requests, [
      ruled({ keyed, fixed: { type: "string", [RULES]: [{ rule: "self == oldSelf" }] } }),
    ]);
    const keys = (size: number) => [
      { name: "b", size: 1 },
      { name: "a", size },
    ];
    await requests.create(WIDGETS, widget("w", { spec: { keyed: [{ name: "a", size: 5 }] } }));
    const change = (spec: JsonObject) =>
      requests.call("PATCH", `${WIDGETS}/w`, { body: { spec }, headers: patchType("merge") });
    expect((await change({ keyed: keys(6), fixed: "x" })).status).toBe(200);
    expect(causesIn(await change({ keyed: keys(2), fixed: "y" }))).toEqual([
      'spec.fixed: Invalid value: "y": failed rule: self == oldSelf',
      "spec.keyed[1]: Invalid value: must not shrink",
    ]);
    const atomic = {
      type: "array",
      items: { type: "string", [RULES]: [{ rule: "self == oldSelf" }] },
    };
    const definitionRefused = await requests.call("POST", DEFINITIONS, {
      body: { ...definition([ruled({ atomic })]), metadata: { name: "widgets.sem.example.com" } },
    });
    expect(causesIn(definitionRefused).join("\n")).toContain(
      "oldSelf cannot be used on the uncorrelatable portion of the schema",
    );
  });

  test("54: with optionalOldSelf a rule of change is asked on create too", async () => {
    const { requests } = await openFor(open);
    await define(requests, [
      ruled({
        phase: {
          type: "string",
          maxLength: 20,
          [RULES]: [
            {
              rule: "oldSelf.hasValue() || self == 'new'",
              optionalOldSelf: true,
              message: "begins as new",
            },
          ],
        },
      }),
    ]);
    const refused = await requests.call("POST", WIDGETS, {
      body: widget("a", { spec: { phase: "old" } }),
    });
    expect(causesIn(refused)).toEqual(['spec.phase: Invalid value: "old": begins as new']);
    await requests.create(WIDGETS, widget("a", { spec: { phase: "new" } }));
    await requests.merge(`${WIDGETS}/a`, { spec: { phase: "old" } });
  });

  test("54: what an object may cost to judge has a limit", async () => {
    const { requests } = await openFor(open);
    const list = { type: "array", maxItems: 1000, items: { type: "integer" } };
    await define(requests, [
      ruled({ list }, { rule: "self.list.all(x, self.list.all(y, x + y >= 0))" }),
    ]);
    const small = Array.from({ length: 10 }, (_, index) => index);
    await requests.create(WIDGETS, widget("small", { spec: { list: small } }));
    const body = widget("a", { spec: { list: Array.from({ length: 1000 }, (_, index) => index) } });
    const refused = await requests.call("POST", WIDGETS, { body });
    expect(causesIn(refused)).toEqual([
      "spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.list.all(x, self.list.all(y, x + y >= 0))",
    ]);
  });
}
