import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../examples/custom-resources/main.ts", import.meta.url));

test("the example defines a kind, is refused by its rule and shares an object", () => {
  const flags = ["--conditions=@homeostat/source", program];
  const lines = execFileSync(process.execPath, flags, { encoding: "utf8" }).trim().split("\n");
  expect(lines).toEqual([
    'Cache {"limit":10,"size":3}',
    'Status Cache.example.com "a" is invalid: spec: Invalid value: larger than its limit',
    'Status Apply failed with 1 conflict: conflict with "owner": .spec.size',
    'Cache {"limit":40,"size":3}',
  ]);
});
