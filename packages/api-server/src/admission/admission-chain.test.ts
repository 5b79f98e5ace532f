import { ApiError } from "@homeostat/object-model";
import { expect, test } from "vitest";
import type { AdmissionRequest, AdmittedChange } from "./admission.ts";
import { AdmissionChain } from "./admission-chain.ts";

const REQUEST = {
  served: { stored: { groupResource: { group: "apps", resource: "deployments" } } },
} as unknown as AdmissionRequest;

function change(): AdmittedChange {
  return { operation: "CREATE", object: { metadata: { name: "a" } }, old: undefined };
}

test("plugins are asked in their order, and nobody waits where no plugin does", async () => {
  const asked: string[] = [];
  const chain = new AdmissionChain();
  chain.use({ name: "a", mutate: () => void asked.push("a") });
  expect(chain.mutate(change(), REQUEST)).toBeUndefined();
  chain.use(
    {
      name: "b",
      mutate: async () => {
        await Promise.resolve();
        asked.push("b");
      },
    },
    { name: "c", resources: ["deployments.apps"], mutate: () => void asked.push("c") },
    { name: "d", resources: ["deployments"], mutate: () => void asked.push("d") },
  );
  await chain.mutate(change(), REQUEST);
  expect(asked).toEqual(["a", "a", "b", "c"]);
});

test("the first refusal counts", async () => {
  const chain = new AdmissionChain();
  const refuse = (message: string) => () => {
    throw ApiError.badRequest(message);
  };
  chain.use({ name: "a", validate: refuse("first") }, { name: "b", validate: refuse("second") });
  expect(() => chain.validate(change(), REQUEST)).toThrow("first");
});

test("what a plugin puts in its place is what the next one sees", () => {
  const chain = new AdmissionChain();
  const seen: unknown[] = [];
  chain.use(
    { name: "a", mutate: (asked) => void (asked.object = { metadata: { name: "b" } }) },
    { name: "b", mutate: ({ object }) => void seen.push(object) },
  );
  void chain.mutate(change(), REQUEST);
  expect(seen).toEqual([{ metadata: { name: "b" } }]);
});

test("who confirms is asked at once, and may refuse", () => {
  const chain = new AdmissionChain();
  chain.use({
    name: "a",
    confirm: () => {
      throw ApiError.badRequest("gone");
    },
  });
  expect(() => chain.confirm(change(), REQUEST)).toThrow("gone");
});
