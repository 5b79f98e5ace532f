import { listBuiltinResources } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { checkUnique, deriveProbes, resourceOf } from "./derive-probes.ts";
import { probedKinds } from "./kinds.ts";

test("every built-in kind that can be created is probed", () => {
  const probed = new Set(probedKinds.map((kind) => resourceOf(kind)));
  const missing = listBuiltinResources().filter(
    (resource) => resource.verbs.includes("create") && !probed.has(resource),
  );
  expect(missing.map(({ plural }) => plural)).toEqual([]);
});

test("there are enough probes, each with a name of its own, and the same every time", {
  timeout: 60_000,
}, () => {
  const all = probedKinds.map((kind) => deriveProbes(kind));
  for (const probes of all) checkUnique(probes);
  expect(all.flat().length).toBeGreaterThan(20_000);
  expect(probedKinds.map((kind) => deriveProbes(kind))).toEqual(all);
});

test("a field is probed absent, empty, malformed, out of range, duplicate and changed", () => {
  const services = probedKinds.find(({ name }) => name === "services")!;
  const mutations = new Map<string, string[]>();
  for (const { variant, operation, field, mutation } of deriveProbes(services)) {
    const place = `${variant} ${operation} ${field}`;
    mutations.set(place, [...(mutations.get(place) ?? []), mutation]);
  }
  expect(mutations.get("plain create spec.ports[0].port")).toEqual(
    expect.arrayContaining(["absent", "zero", "minus", "beyond", "max"]),
  );
  expect(mutations.get("plain create spec.ports")).toEqual(
    expect.arrayContaining(["absent", "emptied", "blank", "duplicate"]),
  );
  expect(mutations.get("full create spec.ports")).toContain("samekey");
  expect(mutations.get("plain create spec.clusterIP")).toEqual(
    expect.arrayContaining(["empty", "upper", "octet", "cidr"]),
  );
  expect(mutations.get("full create spec.clusterIP")).toContain("absent");
  expect(mutations.get("plain update spec.selector.app")).toEqual(["absent", "changed"]);
});
