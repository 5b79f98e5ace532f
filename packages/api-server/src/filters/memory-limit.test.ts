import { ManualClock } from "@homeostat/concurrency";
import type { ApiError } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const user = { username: "admin", groups: ["system:masters"] };

test("a full server refuses to grow, and still reads, deletes and says why", async () => {
  let used = 100;
  const clock = new ManualClock();
  const memory = { read: () => ({ used: used * 1024 ** 2, limit: 512 * 1024 ** 2 }) };
  const store = openMemoryStore();
  await using server = await createApiServer({ store, clock, memory });
  const path = "/api/v1/namespaces/default/configmaps";
  const send = async (method: "DELETE" | "GET" | "POST", name = ""): Promise<unknown> => {
    const body = { kind: "value", value: { metadata: { name: "a" } } } as const;
    const answer = await server.door.send({
      method,
      path: name === "" ? path : `${path}/${name}`,
      user,
      want: "object",
      ...(method === "POST" ? { body } : {}),
    });
    return [answer.status, (answer as { object?: ApiError }).object?.message];
  };
  expect(await send("POST")).toEqual([201, undefined]);
  used = 460;
  expect(await send("POST")).toEqual([409, expect.stringContaining("already exists")]);
  await clock.advance(20);
  expect(await send("POST")).toEqual([
    507,
    "the server is full: 460 MiB of 512 MiB memory are in use. Delete objects, or give it more memory",
  ]);
  expect(await send("GET", "a")).toEqual([200, undefined]);
  expect(await send("DELETE", "a")).toEqual([200, undefined]);
  used = 300;
  await clock.advance(20);
  expect(await send("POST")).toEqual([201, undefined]);
});
