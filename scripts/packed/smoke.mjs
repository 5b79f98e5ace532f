// Runs in an empty folder where only the packed tarballs are installed: a walk through every package,
// on the oldest supported Node. Plain JavaScript, because that is what is published.
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer, listenHttps } from "@homeostat/api-server";
import {
  createEnvironment,
  INT,
  kubernetesLibraries,
  mapOf,
  STRING,
  valueOf,
} from "@homeostat/cel";
import { openAuthority } from "@homeostat/certificates";
import { AsyncChannel, ManualClock, retry, seededRandom } from "@homeostat/concurrency";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJson,
  encodeJson,
  findBuiltinResource,
  LabelSelector,
  patchSchemaOf,
  Quantity,
} from "@homeostat/object-model";
import {
  applySchemaDefaults,
  parseStructuralSchema,
  prune,
  validateAgainst,
} from "@homeostat/schema";
import { openMemoryStore, openSqliteStore } from "@homeostat/store";

const utf8 = new TextEncoder();

// object-model
assert.equal(
  encodeJson(decodeJson('{"a":9007199254740993,"__proto__":{}}')),
  '{"a":9007199254740993,"__proto__":{}}',
);
assert.equal(String(Quantity.parse("1000m")), "1");
assert.ok(LabelSelector.parse("app in (web, db),!old").matches({ app: "web" }));
assert.deepEqual(applyMergePatch({ a: 1, b: 2 }, { b: null }), { a: 1 });
assert.deepEqual(applyJsonPatch({ a: [1] }, [{ op: "add", path: "/a/-", value: 2 }]), {
  a: [1, 2],
});
const deployment = { spec: { template: { spec: { containers: [{ name: "web", image: "a" }] } } } };
const patch = { spec: { template: { spec: { containers: [{ name: "web", image: "b" }] } } } };
assert.deepEqual(
  applyStrategicMergePatch(deployment, patch, { schema: patchSchemaOf("apps.v1.Deployment") }),
  patch,
);
assert.equal(
  findBuiltinResource({ group: "apps", version: "v1", resource: "deployments" })?.kind,
  "Deployment",
);

// concurrency
const clock = new ManualClock();
let tries = 0;
const retried = retry(
  () => {
    tries += 1;
    if (tries < 3) throw new Error("not yet");
    return tries;
  },
  { clock },
);
assert.equal(await clock.runUntil(retried), 3);
assert.equal(seededRandom(7).uuid(), seededRandom(7).uuid());
assert.ok(AsyncChannel);

// store, in memory and durable, on the loop and in the worker
const directory = mkdtempSync(join(tmpdir(), "homeostat-smoke-"));
try {
  for (const open of [
    () => openMemoryStore(),
    () => openSqliteStore({ directory, commitMode: "loop" }),
    () => openSqliteStore({ directory, commitMode: "worker" }),
  ]) {
    const store = open();
    const before = store.revision;
    const watch = store.watch({ prefix: "/", after: before });
    const created = await store.create(`/key-${before}`, utf8.encode("value"));
    assert.equal(created.outcome, "created");
    const { value: batch } = await watch.next();
    assert.equal(batch.events[0].type, "added");
    await store.close();
  }
  const again = openSqliteStore({ directory });
  assert.equal(again.revision, 2);
  assert.equal(again.list({ prefix: "/" }).items.length, 2);
  await again.close();
} finally {
  rmSync(directory, { recursive: true });
}
// api-server, through its door and over HTTPS with a client certificate
const plane = openMemoryStore();
const server = await createApiServer({ store: plane });
const made = await server.door.send({
  method: "POST",
  path: "/api/v1/namespaces/default/configmaps",
  user: { username: "smoke", groups: ["system:masters"] },
  body: { kind: "value", value: { metadata: { name: "smoke" }, data: { a: "b" } } },
  want: "object",
});
assert.equal(made.status, 201);

const environment = createEnvironment({
  libraries: kubernetesLibraries(),
  variables: { self: mapOf(STRING, INT) },
});
const compiled = environment.compile("self.all(key, self[key] < 3) && isQuantity('1Gi')");
assert.ok(compiled.ok);
const self = valueOf({ a: 1, b: 2 }, mapOf(STRING, INT));
assert.equal(compiled.expression.evaluate({ self }, { costLimit: 1000 }).value, true);
const schema = parseStructuralSchema({
  type: "object",
  properties: { size: { type: "integer", maximum: 3, default: 2 } },
});
const object = { kind: "Widget", other: 1 };
assert.deepEqual(prune(object, schema), ["other"]);
applySchemaDefaults(object, schema);
assert.deepEqual(object, { kind: "Widget", size: 2 });
assert.equal(validateAgainst({ size: 4 }, schema).length, 1);

const authority = await openAuthority({ keptIn: "memory" });
const names = ["127.0.0.1"];
const serving = await authority.issue({
  subject: { commonName: "server" },
  usage: "server",
  names,
});
const subject = { commonName: "admin", organizations: ["system:masters"] };
const client = await authority.issue({ subject, usage: "client" });
const listener = await listenHttps({
  server,
  port: 0,
  certificate: serving.certificate,
  key: serving.key,
  clientAuthority: authority.certificate,
});
const got = await new Promise((resolve, reject) => {
  request(
    `https://127.0.0.1:${listener.port}/api/v1/namespaces/default/configmaps/smoke`,
    { ca: authority.certificate, cert: client.certificate, key: client.key, agent: false },
    async (answer) => resolve(JSON.parse(Buffer.concat(await answer.toArray()).toString())),
  )
    .on("error", reject)
    .end();
});
assert.deepEqual(got.data, { a: "b" });
await Promise.all([listener.close(), server.close()]);
await plane.close();
console.log(`the packed packages work on Node ${process.version}`);
