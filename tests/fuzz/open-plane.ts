import { type ApiServer, createApiServer } from "@homeostat/api-server";
import { realClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { LawBrokenError } from "./fuzz-target.ts";

export interface FuzzedPlane extends AsyncDisposable {
  readonly server: ApiServer;
  /** As the administrator; the answer as bytes. A refusal for reasons inside is a broken law. */
  ask(request: Omit<DoorRequest, "user" | "want">): Promise<PlainAnswer>;
}

interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bytes: Uint8Array;
}

const admin = { username: "admin", groups: ["system:masters", "system:authenticated"] };
export const FREE = "/apis/fuzz.example.com/v1/namespaces/default/frees";

/** A plane in this process, with a custom kind that takes anything as its spec. */
export async function openFuzzedPlane(): Promise<FuzzedPlane> {
  await using undo = new AsyncDisposableStack();
  const store = undo.use(openMemoryStore());
  const server = undo.use(await createApiServer({ store, random: seededRandom(1) }));
  const ask: FuzzedPlane["ask"] = async (request) => {
    const stop = new AbortController();
    const answer = await server.door.send({
      ...request,
      user: admin,
      want: "bytes",
      signal: stop.signal,
    });
    const { status, headers } = answer;
    // Watches and the like: that they began is enough.
    if (answer.kind !== "bytes") {
      stop.abort();
      return { status, headers, bytes: new Uint8Array(0) };
    }
    const text = Buffer.from(answer.bytes).toString();
    if (status >= 500 && !isNamed(text)) throw new LawBrokenError(`answered ${status}: ${text}`);
    return { status, headers, bytes: answer.bytes };
  };
  await ask({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    headers: { "content-type": "application/json" },
    body: { kind: "value", value: definition() },
  });
  while ((await ask({ method: "GET", path: FREE })).status === 404) {
    await new Promise<void>((resolve) => realClock.endOfTurn(resolve));
  }
  const kept = undo.move();
  return { server, ask, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** What kube-apiserver answers with 5xx too, in these words. */
function isNamed(text: string): boolean {
  return /invalid key: |invalid resource name|ServerTimeout|target.name: Required value/.test(text);
}

function definition(): object {
  const spec = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "frees.fuzz.example.com" },
    spec: {
      group: "fuzz.example.com",
      scope: "Namespaced",
      names: { plural: "frees", singular: "free", kind: "Free", listKind: "FreeList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
