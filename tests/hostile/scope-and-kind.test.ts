/** A right to one scope or kind reaches into no other: neither by the path, nor by a prefix, nor by a body. */
import { beforeAll, expect, test } from "vitest";
import { defineKinds, grant } from "./attack-objects.ts";
import { attackedServer } from "./server-under-attack.ts";

const server = attackedServer();
const GROUP = "hostile.example.com";
const APIS = `/apis/${GROUP}/v1`;

beforeAll(async () => {
  await defineKinds(server(), GROUP, [
    { plural: "keys", kind: "Key", scope: "Namespaced" },
    { plural: "keysets", kind: "KeySet", scope: "Namespaced" },
    { plural: "vaults", kind: "Vault", scope: "Cluster" },
  ]);
  for (const namespace of ["a", "ab"]) {
    const body = { metadata: { name: namespace } };
    await server().expect(201, { method: "POST", path: "/api/v1/namespaces", body });
    for (const [plural, kind] of [
      ["keys", "Key"],
      ["keysets", "KeySet"],
    ]) {
      await server().expect(201, {
        method: "POST",
        path: `${APIS}/namespaces/${namespace}/${plural}`,
        body: { apiVersion: `${GROUP}/v1`, kind, metadata: { name: `${plural}-in-${namespace}` } },
      });
    }
  }
  await server().expect(201, {
    method: "POST",
    path: `${APIS}/vaults`,
    body: { apiVersion: `${GROUP}/v1`, kind: "Vault", metadata: { name: "vault" } },
  });
});

function namesIn(text: string): readonly string[] {
  const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}

test("cluster-scoped kinds have no place in a namespace, for those with rights there neither", async () => {
  await grant(server(), "mallory", {
    namespace: "default",
    rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  });
  await server().during(async () => {
    for (const path of [
      `${APIS}/namespaces/default/vaults`,
      `${APIS}/namespaces/default/vaults/vault`,
      "/api/v1/namespaces/default/nodes",
      "/api/v1/namespaces/default/namespaces/bystander",
      "/apis/rbac.authorization.k8s.io/v1/namespaces/default/clusterroles/cluster-admin",
    ]) {
      await server().expect(404, { path });
      expect([403, 404]).toContain((await server().send({ path, as: "mallory" })).status);
      for (const method of ["DELETE", "PUT"]) {
        const body = method === "PUT" ? { metadata: { name: "vault" } } : undefined;
        const { status } = await server().send({ method, path, as: "mallory", body });
        expect([403, 404, 405]).toContain(status);
      }
    }
    for (const path of [`${APIS}/vaults/vault`, "/api/v1/nodes", "/api/v1/secrets"]) {
      await server().expect(403, { path, as: "mallory" });
    }
    await server().expect(200, { path: `${APIS}/vaults/vault` });
  });
});

test("namespaced kinds have single objects in a namespace only", async () => {
  await server().during(async () => {
    for (const path of [
      "/api/v1/configmaps/kube-root-ca.crt",
      `${APIS}/keys/keys-in-a`,
      "/api/v1/secrets/canary",
    ]) {
      await server().expect(404, { path });
    }
    const body = { metadata: { name: "a" } };
    await server().expect(405, { method: "POST", path: "/api/v1/configmaps", body });
  });
  expect(server().isAlive).toBe(true);
});

test("lists and watches see neither a longer namespace nor a longer kind", async () => {
  await server().during(async () => {
    const list = async (path: string): Promise<readonly string[]> =>
      namesIn((await server().expect(200, { path: `${APIS}${path}` })).text);
    expect(await list("/namespaces/a/keys")).toEqual(["keys-in-a"]);
    expect(await list("/keys")).toEqual(["keys-in-a", "keys-in-ab"]);
    expect(await list("/keys?resourceVersion=0")).toEqual(["keys-in-a", "keys-in-ab"]);
    expect(await list("/keysets")).toEqual(["keysets-in-a", "keysets-in-ab"]);
    const path = `${APIS}/namespaces/a/keys?watch=true&timeoutSeconds=1&resourceVersion=0`;
    const { text } = await server().expect(200, { path });
    expect(text).toContain("keys-in-a");
    expect(text).not.toMatch(/keysets|keys-in-ab/);
    await server().expect(200, { method: "DELETE", path: `${APIS}/namespaces/a/keys` });
    expect(await list("/keys")).toEqual(["keys-in-ab"]);
    expect(await list("/keysets")).toEqual(["keysets-in-a", "keysets-in-ab"]);
  });
});

test("a right to one custom kind is none to its neighbours", async () => {
  await grant(server(), "system:serviceaccount:a:reader", {
    rules: [{ verbs: ["get", "list", "watch"], apiGroups: [GROUP], resources: ["keys"] }],
  });
  const headers = { "impersonate-user": "system:serviceaccount:a:reader" };
  await server().during(async () => {
    await server().expect(200, { path: `${APIS}/keys`, headers });
    for (const path of [
      `${APIS}/keysets`,
      `${APIS}/keys/../keysets`,
      `${APIS}/keys%2f..%2fkeysets`,
      `${APIS}/namespaces/a/keysets?watch=true`,
      `${APIS}/watch/keysets`,
      `${APIS}/vaults`,
    ]) {
      const { status, text } = await server().send({ path, headers });
      expect([path, [403, 404].includes(status)]).toEqual([path, true]);
      expect(text).not.toContain("keysets-in");
    }
  });
});

function token(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

test.each([
  { v: "meta.k8s.io/v1", rv: 1, start: "../../secrets/bystander/" },
  { v: "meta.k8s.io/v1", rv: -1, start: "/../secrets/" },
  { v: "meta.k8s.io/v1", rv: 1, start: "a/../../../secrets\u0000" },
  { v: "meta.k8s.io/v2", rv: 1, start: "a\u0000" },
  { v: "meta.k8s.io/v1", rv: 1, start: "" },
  { v: "meta.k8s.io/v1", rv: "1", start: [] },
  { __proto__: null, v: "meta.k8s.io/v1" },
])("a forged continue token %j leads nowhere", async (content) => {
  await server().during(async () => {
    const path = `/api/v1/namespaces/default/configmaps?limit=1&continue=${token(content)}`;
    const { text } = await server().expect(400, { path });
    expect(text).not.toContain("canary");
  });
});

test("a body cannot be of another kind, name or namespace than its place", async () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  await server().during(async () => {
    const metadata = { name: "a" };
    for (const body of [
      { kind: "Secret", apiVersion: "v1", metadata },
      { kind: "ConfigMap", apiVersion: "apps/v1", metadata },
      { metadata: { name: "a", namespace: "bystander" } },
    ]) {
      await server().expect(400, { method: "POST", path: maps, body });
    }
    await server().expect(201, { method: "POST", path: maps, body: { metadata } });
    await server().expect(400, {
      method: "PUT",
      path: `${maps}/a`,
      body: { metadata: { name: "b" } },
    });
    for (const [field, value, status] of [
      ["name", "b", 400],
      ["namespace", "bystander", 400],
      ["uid", "another", 422],
    ] as const) {
      await server().expect(status, {
        method: "PATCH",
        path: `${maps}/a`,
        type: "application/merge-patch+json",
        body: { metadata: { [field]: value } },
      });
    }
    await server().expect(422, {
      method: "PATCH",
      path: `${maps}/a`,
      type: "application/merge-patch+json",
      body: { kind: "Secret" },
    });
  });
  expect(server().isAlive).toBe(true);
});

test("paths in another letter case or with a group in the resource are other paths", async () => {
  await server().during(async () => {
    for (const path of [
      "/api/V1/namespaces/default/pods",
      "/API/v1/namespaces/default/pods",
      "/api/v1/namespaces/default/Pods",
      "/api/v1/namespaces/default/pods.apps",
      "/apis/apps/v1/namespaces/default/pods",
      "/apis//v1/namespaces/default/pods",
      "/api/v1/namespaces/default/pods/x/scale",
      "/api/v1/namespaces/default/configmaps/x/status",
      "/api/v1/namespaces/default/__proto__",
      "/apis/__proto__/v1/constructor",
      "/api/v1/constructor",
    ]) {
      await server().expect(404, { path });
    }
  });
  expect(server().isAlive).toBe(true);
});
