// A Kubernetes API inside this process: no sockets, nothing on disk. `npm run example -- embedded-api`
import { createApiServer } from "@homeostat/api-server";
import type { DoorAnswer, DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";

await using store = openMemoryStore();
await using server = await createApiServer({ store });
const user = { username: "me", groups: ["system:masters"] };
const path = "/api/v1/namespaces/default/configmaps";

const send = (request: Omit<DoorRequest, "user" | "want">): Promise<DoorAnswer> =>
  server.door.send({ ...request, user, want: "object" });

const watch = await send({ method: "GET", path, query: { watch: "true" } });
await send({
  method: "POST",
  path,
  body: { kind: "value", value: { metadata: { name: "greeting" }, data: { words: "hello" } } },
});
await send({
  method: "PATCH",
  path: `${path}/greeting`,
  headers: { "content-type": "application/merge-patch+json" },
  body: { kind: "value", value: { data: { words: "hello again" } } },
});
await send({ method: "DELETE", path: `${path}/greeting` });
const missing = await send({ method: "GET", path: `${path}/greeting` });

if (watch.kind !== "watch") throw new Error(`expected a watch, got ${watch.status}`);
for await (const { type, object } of watch.frames) {
  console.log(type, object.metadata?.name, "at", object.metadata?.resourceVersion);
  if (type === "DELETED") break;
}
if (missing.kind === "object") console.log(missing.status, JSON.stringify(missing.object));
