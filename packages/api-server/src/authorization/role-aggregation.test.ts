import { expect, test } from "vitest";
import { MASTER, RBAC, RolesBench } from "./fixtures/roles-bench.ts";

const path = `${RBAC}/clusterroles`;
const marked = { labels: { "example.com/gather": "yes" } };
const rule = (resource: string): object => ({
  verbs: ["get"],
  apiGroups: [""],
  resources: [resource],
});
const gathering = {
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: marked.labels }] },
};

async function rulesOf(bench: RolesBench, name: string): Promise<unknown> {
  await bench.clock.settle();
  return (await bench.ask(MASTER, `GET ${path}/${name}`)).object.rules;
}

test("an aggregated role follows the roles that it selects, in the order of their names", async () => {
  const bench = await RolesBench.open();
  await bench.make(path, { metadata: { name: "all" }, ...gathering });
  expect(await rulesOf(bench, "all")).toEqual(null);
  await bench.make(path, { metadata: { name: "b", ...marked }, rules: [rule("pods")] });
  const again = [rule("nodes"), rule("pods")];
  await bench.make(path, { metadata: { name: "a", ...marked }, rules: again });
  expect(await rulesOf(bench, "all")).toEqual([rule("nodes"), rule("pods")]);
  await bench.ask(MASTER, `PATCH ${path}/a`, { rules: [rule("secrets")] });
  expect(await rulesOf(bench, "all")).toEqual([rule("secrets"), rule("pods")]);
  await bench.ask(MASTER, `PATCH ${path}/b`, { metadata: { labels: null } });
  expect(await rulesOf(bench, "all")).toEqual([rule("secrets")]);
  await bench.ask(MASTER, `DELETE ${path}/a`);
  expect(await rulesOf(bench, "all")).toEqual(null);
});

test("a role for a new kind reaches admin through edit and view", async () => {
  const bench = await RolesBench.open();
  const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
  const widgets = { verbs: ["get"], apiGroups: ["example.com"], resources: ["widgets"] };
  await bench.make(path, { metadata: { name: "widgets", labels }, rules: [widgets] });
  for (const name of ["view", "edit", "admin"]) {
    expect(await rulesOf(bench, name)).toContainEqual(widgets);
  }
});

test("what somebody writes into an aggregated role is taken back", async () => {
  const bench = await RolesBench.open();
  const before = await rulesOf(bench, "view");
  await bench.ask(MASTER, `PATCH ${path}/view`, { rules: [rule("secrets")] });
  expect(await rulesOf(bench, "view")).toEqual(before);
  const { object } = await bench.ask(MASTER, `GET ${path}/view`);
  expect(object.metadata?.managedFields).toContainEqual(
    expect.objectContaining({
      manager: "clusterrole-aggregation-controller",
      operation: "Apply",
      fieldsV1: { "f:rules": {} },
    }),
  );
});

test("where somebody else gathers, nothing is written", async () => {
  const bench = await RolesBench.open({ aggregateRoles: false });
  await bench.make(path, { metadata: { name: "all" }, ...gathering });
  await bench.make(path, { metadata: { name: "b", ...marked }, rules: [rule("pods")] });
  expect(await rulesOf(bench, "all")).toEqual(null);
});
