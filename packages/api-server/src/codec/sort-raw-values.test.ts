import { type JsonObject, schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { sortRawValues } from "./sort-raw-values.ts";

test("keys of free content are put in order at every depth, and nothing is lost", () => {
  const revision = JSON.parse(
    '{"data":{"b":[{"z":1,"__proto__":2}],"a":null},"revision":1}',
  ) as JsonObject;
  sortRawValues(schemaOf("apps.v1.ControllerRevision"), revision);
  expect(JSON.stringify(revision)).toBe(
    '{"data":{"a":null,"b":[{"__proto__":2,"z":1}]},"revision":1}',
  );
});

test("free content is found in lists of objects, and typed content keeps its order", () => {
  const claim = {
    metadata: { name: "a", labels: { b: "1", a: "2" } },
    spec: {
      devices: {
        config: [{ opaque: { driver: "d", parameters: { y: 1, x: 2 } } }],
      },
    },
  };
  sortRawValues(schemaOf("resource.v1.ResourceClaim"), claim);
  expect(JSON.stringify(claim)).toBe(
    '{"metadata":{"name":"a","labels":{"b":"1","a":"2"}},"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{"x":2,"y":1}}}]}}}',
  );
});
