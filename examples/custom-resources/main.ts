// A kind of your own, with a rule, owned by two managers. `npm run example -- custom-resources`
import { createApiServer } from "@homeostat/api-server";
import type { DoorRequest, JsonObject, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";

await using store = openMemoryStore();
await using server = await createApiServer({ store });
const user = { username: "me", groups: ["system:masters"] };
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const caches = "/apis/example.com/v1/namespaces/default/caches";

/** The object, or the Status that says why not. */
async function send(request: Omit<DoorRequest, "user" | "want">): Promise<KubernetesObject> {
  const answer = await server.door.send({ ...request, user, want: "object" });
  if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.status}`);
  return answer.object;
}

function apply(fieldManager: string, spec: JsonObject): Promise<KubernetesObject> {
  const value = { apiVersion: "example.com/v1", kind: "Cache", metadata: { name: "a" }, spec };
  return send({
    method: "PATCH",
    path: `${caches}/a`,
    query: { fieldManager },
    headers: { "content-type": "application/apply-patch+yaml" },
    body: { kind: "value", value },
  });
}

const definition = {
  metadata: { name: "caches.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "caches", kind: "Cache" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer", default: 1 },
                  limit: { type: "integer", default: 10 },
                },
                "x-kubernetes-validations": [
                  { rule: "self.size <= self.limit", message: "larger than its limit" },
                ],
              },
            },
          },
        },
      },
    ],
  },
};
const made = await send({
  method: "POST",
  path: definitions,
  body: { kind: "value", value: definition },
});

// It is served when it is established, as on any cluster.
const { resourceVersion = "" } = made.metadata ?? {};
const query = { watch: "true", resourceVersion };
const watch = await server.door.send({
  method: "GET",
  path: definitions,
  query,
  user,
  want: "object",
});
if (watch.kind !== "watch") throw new Error(`expected a watch, got ${watch.status}`);
for await (const { object } of watch.frames) {
  if (JSON.stringify(object).includes('"type":"Established","status":"True"')) break;
}

const describe = ({ kind, ...rest }: KubernetesObject): string => {
  const { message, spec } = rest as { message?: string; spec?: JsonObject };
  return `${kind} ${message ?? JSON.stringify(spec)}`;
};
console.log(describe(await apply("owner", { size: 3 })));
console.log(describe(await apply("owner", { size: 30 })));
console.log(describe(await apply("scaler", { size: 5 })));
console.log(describe(await apply("scaler", { limit: 40 })));
