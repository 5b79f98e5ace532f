/** Streams outlive no right: when a binding, a token or an account goes, what was opened with it ends. */
import { realClock } from "@homeostat/concurrency";
import { beforeAll, expect, test } from "vitest";
import { Http2Wire } from "../semantics/http2-wire.ts";
import type { WireAnswer } from "../semantics/wire.ts";
import { grant } from "./attack-objects.ts";
import { attackedServer, pause, sendOver } from "./server-under-attack.ts";

const server = attackedServer();
const CORE = "/api/v1/namespaces/watched";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
/** Far more than the second it may take: machines are busy, and only what hangs takes longer. */
const PATIENCE = 60_000;

beforeAll(async () => {
  const body = { metadata: { name: "watched" } };
  await server().expect(201, { method: "POST", path: "/api/v1/namespaces", body });
});

/** An account that may read the secrets of one namespace, and a token of it. */
async function reader(name: string, bound?: object): Promise<string> {
  await server().expect(201, {
    method: "POST",
    path: `${CORE}/serviceaccounts`,
    body: { metadata: { name } },
  });
  await grant(server(), `system:serviceaccount:watched:${name}`, {
    namespace: "watched",
    rules: [{ verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["secrets"] }],
  });
  const { text } = await server().expect(201, {
    method: "POST",
    path: `${CORE}/serviceaccounts/${name}/token`,
    body: { spec: bound ? { boundObjectRef: bound } : {} },
  });
  return (JSON.parse(text) as { status: { token: string } }).status.token;
}

/** A watch that sees a change, so that it is known to be open. */
async function openWatch(wire: Http2Wire, token: string): Promise<WireAnswer> {
  const headers = { authorization: `Bearer ${token}` };
  const path = `${CORE}/secrets?watch=true`;
  const answer = await wire.send({ method: "GET", path, headers });
  expect(answer.status).toBe(200);
  const chunks = answer.chunks[Symbol.asyncIterator]();
  const name = `seen-${Math.round(realClock.monotonic() * 1000)}`;
  await server().expect(201, {
    method: "POST",
    path: `${CORE}/secrets`,
    body: { metadata: { name } },
  });
  let text = "";
  while (!text.includes(name)) text += Buffer.from((await chunks.next()).value ?? []).toString();
  return { ...answer, chunks: { [Symbol.asyncIterator]: () => chunks } };
}

/** What still came until the end, and how long that took; undefined when it did not end. */
async function untilEnd(watch: WireAnswer): Promise<{ text: string; took: number } | undefined> {
  const begun = realClock.monotonic();
  let text = "";
  const reading = (async () => {
    for await (const chunk of watch.chunks) text += Buffer.from(chunk).toString();
    return { text, took: realClock.monotonic() - begun };
  })();
  return Promise.race([reading, pause(PATIENCE).then(() => undefined)]);
}

test.each<readonly [string, (name: string) => Promise<unknown>]>([
  [
    "the binding is deleted",
    (name) =>
      server().expect(200, {
        method: "DELETE",
        path: `${RBAC}/namespaces/watched/rolebindings/system-serviceaccount-watched-${name}`,
      }),
  ],
  [
    "the role loses the verb",
    (name) =>
      server().expect(200, {
        method: "PATCH",
        path: `${RBAC}/namespaces/watched/roles/system-serviceaccount-watched-${name}`,
        type: "application/merge-patch+json",
        body: { rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["secrets"] }] },
      }),
  ],
  [
    "the role is deleted",
    (name) =>
      server().expect(200, {
        method: "DELETE",
        path: `${RBAC}/namespaces/watched/roles/system-serviceaccount-watched-${name}`,
      }),
  ],
  [
    "the account is deleted",
    (name) => server().expect(200, { method: "DELETE", path: `${CORE}/serviceaccounts/${name}` }),
  ],
  [
    "the account is deleted and made again",
    async (name) => {
      const path = `${CORE}/serviceaccounts`;
      await server().expect(200, { method: "DELETE", path: `${path}/${name}` });
      await server().expect(201, { method: "POST", path, body: { metadata: { name } } });
    },
  ],
])("when %s, its watches end and show nothing that came later", async (what, revoke) => {
  await server().during(async () => {
    const name = what.replaceAll(" ", "-");
    const token = await reader(name);
    await using wire = new Http2Wire(server().identity);
    const watch = await openWatch(wire, token);
    const ending = untilEnd(watch);
    await revoke(name);
    const headers = { authorization: `Bearer ${token}` };
    const path = `${CORE}/secrets?watch=true&timeoutSeconds=1`;
    expect([401, 403]).toContain((await sendOver(wire, { path, headers, as: "nobody" })).status);
    await server().expect(201, {
      method: "POST",
      path: `${CORE}/secrets`,
      body: { metadata: { name: `after-${name}` } },
    });
    const ended = await ending;
    expect(ended).toBeDefined();
    expect(ended!.text).not.toContain(`after-${name}`);
    if (process.env["HOSTILE_REPORT"]) process.stdout.write(`${what}: ${ended!.took} ms\n`);
  });
});

test("a token that is bound to a secret goes with it", async () => {
  await server().during(async () => {
    const made = await server().expect(201, {
      method: "POST",
      path: `${CORE}/secrets`,
      body: { metadata: { name: "anchor" } },
    });
    const { uid } = (JSON.parse(made.text) as { metadata: { uid: string } }).metadata;
    const token = await reader("bound", { apiVersion: "v1", kind: "Secret", name: "anchor", uid });
    await using wire = new Http2Wire(server().identity);
    const watch = await openWatch(wire, token);
    const ending = untilEnd(watch);
    await server().expect(200, { method: "DELETE", path: `${CORE}/secrets/anchor` });
    expect(await ending).toBeDefined();
    const again = await sendOver(wire, { path: `${CORE}/secrets`, as: { token } });
    expect(again.status).toBe(401);
  });
});

test("a watch by impersonation ends with the right of the impersonated", async () => {
  await server().during(async () => {
    await reader("puppet");
    const user = "system:serviceaccount:watched:puppet";
    await using wire = new Http2Wire(server().identity);
    const { text } = await server().expect(200, {
      path: `${CORE}/secrets?limit=1`,
      headers: { "impersonate-user": user },
    });
    expect(text).toContain("SecretList");
    const answer = await wire.send({
      method: "GET",
      path: `${CORE}/secrets?watch=true`,
      headers: { authorization: "Bearer root-token-of-the-corpus", "impersonate-user": user },
    });
    expect(answer.status).toBe(200);
    const ending = untilEnd(answer);
    const binding = "system-serviceaccount-watched-puppet";
    const path = `${RBAC}/namespaces/watched/rolebindings/${binding}`;
    await server().expect(200, { method: "DELETE", path });
    expect(await ending).toBeDefined();
  });
});

test("a namespace that is gone takes its accounts' watches with it", async () => {
  await server().during(async () => {
    const token = await reader("doomed");
    await using wire = new Http2Wire(server().identity);
    const watch = await openWatch(wire, token);
    const ending = untilEnd(watch);
    // Nothing empties namespaces here: what an emptied one loses goes one by one.
    await server().expect(200, { method: "DELETE", path: "/api/v1/namespaces/watched" });
    for (const kind of ["serviceaccounts", "secrets"]) {
      await server().expect(200, { method: "DELETE", path: `${CORE}/${kind}` });
    }
    expect(await ending).toBeDefined();
    expect((await sendOver(wire, { path: `${CORE}/secrets`, as: { token } })).status).toBe(401);
  });
});
