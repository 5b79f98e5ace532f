import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const user = { username: "admin", groups: ["system:masters"] };
const path = "/api/v1/namespaces/default/configmaps";

test("a large object comes in pieces, as it was when it was asked for", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const send = async (method: "POST" | "PUT", text: string): Promise<void> => {
    const value = { metadata: { name: "a" }, data: { text } };
    const at = method === "POST" ? path : `${path}/a`;
    const body = { kind: "value", value } as const;
    const { status } = await server.door.send({ method, path: at, user, want: "object", body });
    expect(status).toBeLessThan(300);
  };
  await send("POST", "é".repeat(400_000));
  const asked = { method: "GET", path: `${path}/a`, user } as const;
  const answer = await server.door.send({ ...asked, want: "bytes" });
  const whole = await server.door.send({ ...asked, want: "object" });
  if (answer.kind !== "byte-stream" || whole.kind !== "object") throw new Error(answer.kind);
  expect(answer.headers["content-type"]).toBe("application/json");
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.chunks) {
    pieces.push(piece);
    // The bytes that the answer is made of move, and are another version's afterwards.
    if (pieces.length === 2) for (let round = 0; round < 8; round++) await send("PUT", `${round}`);
  }
  expect(pieces.length).toBeGreaterThan(3);
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(whole.object);
});
