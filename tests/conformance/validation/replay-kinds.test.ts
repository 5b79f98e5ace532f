import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { readAgreement } from "./agreement.ts";
import { probedKinds } from "./kinds.ts";
import { testAgreement } from "./replay-suite.ts";

testAgreement(probedKinds.filter(({ name, group }) => name !== "pods" && !group.includes(".")));

test("every kind has its answers and its agreement, and nothing else does", async () => {
  const names = probedKinds.map(({ name }) => name);
  expect([...(await readAgreement()).keys()]).toEqual(names);
  const files = await readdir(new URL("./fixtures/", import.meta.url));
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.json`).toSorted());
});
