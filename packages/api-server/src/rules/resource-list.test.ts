import { canonicalizeQuantity, type JsonObject, Quantity } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addMissingResources, type ResourceList, roundResourceList } from "./resource-list.ts";

test("every quantity becomes the least number of thousandths that holds it", () => {
  const suffix = fc.constantFrom("", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "E-5");
  const digits = fc.stringMatching(/^[0-9]{1,6}(\.[0-9]{0,6})?$/);
  fc.assert(
    fc.property(digits, suffix, (number, unit) => {
      const given = canonicalizeQuantity(`${number}${unit}`);
      const list: JsonObject = { cpu: given };
      roundResourceList(list);
      expect(list["cpu"]).toBe(Quantity.parse(given).roundUp(-3).toString());
    }),
  );
});

test("rounding prints the canonical form, and leaves whole quantities alone", () => {
  const list: JsonObject = { a: "1500u", b: "1000", c: "0.5", d: "1Gi", e: "100m", f: 3 };
  roundResourceList(list);
  expect(list).toEqual({ a: "2m", b: "1000", c: "500m", d: "1Gi", e: "100m", f: 3 });
});

test("a list that is absent needs no rounding", () => {
  expect(() => roundResourceList(undefined)).not.toThrow();
});

test("only what is missing is added", () => {
  const target: ResourceList = { cpu: "1" };
  addMissingResources(target, JSON.parse('{"cpu":"2","__proto__":"3","toString":"4"}'));
  expect(JSON.stringify(target)).toBe('{"cpu":"1","__proto__":"3","toString":"4"}');
});
