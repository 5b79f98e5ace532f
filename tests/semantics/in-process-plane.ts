import { type ApiServer, createApiServer } from "@homeostat/api-server";
import { type Random, seededRandom } from "@homeostat/concurrency";
import type { DoorAnswer, DoorRequest, WatchFrame } from "@homeostat/object-model";
import { openMemoryStore, type Store } from "@homeostat/store";
import { HandClock } from "./hand-clock.ts";
import {
  type PlaneAnswer,
  type PlaneRequest,
  type PlaneUnderTest,
  PlaneWatch,
  RefusedError,
  type Shown,
  warningsOf,
} from "./plane-under-test.ts";

const admin = { username: "admin", groups: ["system:masters", "system:authenticated"] };

/** A plane and what it stands on. The caller disposes of the stack. */
export async function openPlane(
  undo: AsyncDisposableStack,
  random: Random = seededRandom(7),
): Promise<{ clock: HandClock; store: Store; server: ApiServer }> {
  const clock = new HandClock();
  const store = undo.use(openMemoryStore({ clock }));
  const server = undo.use(await createApiServer({ store, clock, random }));
  return { clock, store, server };
}

/** Through the door: values in, frozen objects out. */
export async function openInProcessPlane(random?: Random): Promise<PlaneUnderTest> {
  const undo = new AsyncDisposableStack();
  const { clock, store, server } = await openPlane(undo, random);
  const ask = (request: PlaneRequest, signal?: AbortSignal): Promise<DoorAnswer> =>
    server.door.send(toDoorRequest(request, signal));
  return {
    clock,
    store,
    send: async (request) => toPlaneAnswer(await ask(request)),
    watch: async (path, query) => {
      const request = { method: "GET", path, query: { watch: "true", ...query } } as const;
      const stop = new AbortController();
      const answer = await ask(request, stop.signal);
      if (answer.kind !== "watch") throw new RefusedError(`GET ${path}`, toPlaneAnswer(answer));
      const watch = new PlaneWatch(answer, {
        frames: untilStopped(answer.frames, stop.signal),
        stop: () => stop.abort(),
      });
      undo.use(watch);
      return watch;
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

function toDoorRequest(request: PlaneRequest, signal: AbortSignal | undefined): DoorRequest {
  const { method, path, query, headers, body } = request;
  return {
    method,
    path,
    ...(query === undefined ? {} : { query }),
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: toDoorBody(body) }),
    user: admin,
    want: "object",
    ...(signal === undefined ? {} : { signal }),
  };
}

/** What is given to the door belongs to it: tests keep theirs. */
function toDoorBody(body: Exclude<PlaneRequest["body"], undefined>): DoorRequest["body"] & {} {
  if (typeof body === "string") return { kind: "bytes", bytes: Buffer.from(body) };
  return { kind: "value", value: structuredClone(body) };
}

function toPlaneAnswer(answer: DoorAnswer): PlaneAnswer {
  const head = {
    status: answer.status,
    headers: answer.headers,
    warnings: warningsOf(answer.headers["warning"]),
  };
  switch (answer.kind) {
    case "object":
      requireFrozen(answer.object, "answer");
      return {
        ...head,
        object: answer.object as unknown as Shown,
        text: JSON.stringify(answer.object),
      };
    case "bytes": {
      const text = Buffer.from(answer.bytes).toString();
      return { ...head, text, object: text as unknown as Shown };
    }
    case "watch":
    case "byte-stream":
      throw new Error(`an object was wanted; the door answered a ${answer.kind}`);
  }
}

/** Stopping is no failure of the watch. */
async function* untilStopped(
  frames: AsyncIterable<WatchFrame>,
  signal: AbortSignal,
): AsyncGenerator<WatchFrame> {
  try {
    for await (const frame of frames) {
      requireFrozen(frame.object, `${frame.type} frame`);
      yield frame;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Whatever leaves the door is shared: nobody may be able to change it, at any depth. */
function requireFrozen(value: unknown, where: string): void {
  if (typeof value !== "object" || value === null) return;
  if (!Object.isFrozen(value)) throw new Error(`not frozen: ${where}`);
  for (const [key, member] of Object.entries(value)) requireFrozen(member, `${where}.${key}`);
}
