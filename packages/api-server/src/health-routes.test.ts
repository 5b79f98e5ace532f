import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "./api-server.ts";

interface Got {
  readonly status: number;
  readonly text: string;
}

async function openBench(): Promise<{
  store: ReturnType<typeof openMemoryStore>;
  beginShutdown: () => void;
  get: (path: string, query?: Record<string, string | readonly string[]>) => Promise<Got>;
}> {
  const store = openMemoryStore();
  const server = await createApiServer({ store });
  const user = { username: "nobody", groups: ["system:authenticated"] };
  const admin = { username: "admin", groups: ["system:masters"] };
  return {
    store,
    beginShutdown: () => server.beginShutdown(),
    get: async (path, query = {}) => {
      const who = path.lastIndexOf("/") > 0 ? admin : user;
      const want = "bytes";
      const answer = await server.door.send({ method: "GET", path, query, user: who, want });
      if (answer.kind !== "bytes") throw new Error(`expected bytes, got ${answer.kind}`);
      return { status: answer.status, text: Buffer.from(answer.bytes).toString() };
    },
  };
}

test.for(["healthz", "livez", "readyz"])(
  "/%s is ok, and lists its checks if asked",
  async (endpoint) => {
    const { get } = await openBench();
    expect(await get(`/${endpoint}`)).toEqual({ status: 200, text: "ok" });
    const { text } = await get(`/${endpoint}`, { verbose: "" });
    const lines = text.split("\n");
    expect(lines.slice(0, 2)).toEqual(["[+]ping ok", "[+]log ok"]);
    expect(lines).toContain("[+]etcd ok");
    expect(lines).toContain("[+]poststarthook/rbac/bootstrap-roles ok");
    expect(lines.slice(-2)).toEqual([`${endpoint} check passed`, ""]);
    expect(await get(`/${endpoint}/poststarthook/rbac/bootstrap-roles`)).toEqual({
      status: 200,
      text: "ok",
    });
    expect((await get(`/${endpoint}/nope`)).status).toBe(404);
  },
);

test("checks may be left out, and what is no check is told", async () => {
  const { get } = await openBench();
  const { status, text } = await get("/livez", { verbose: "", exclude: ["b", "ping", "a"] });
  expect(status).toBe(200);
  expect(text.startsWith("[+]ping excluded: ok\n[+]log ok\n")).toBe(true);
  expect(text).toContain(
    'warn: some health checks cannot be excluded: no matches for "a","b"\nlivez check passed\n',
  );
});

test("a server that is about to stop lives and is not ready", async () => {
  const { get, beginShutdown } = await openBench();
  beginShutdown();
  expect((await get("/livez")).status).toBe(200);
  const { status, text } = await get("/readyz");
  expect(status).toBe(500);
  expect(text.endsWith("[-]shutdown failed: reason withheld\nreadyz check failed\n")).toBe(true);
  expect(await get("/readyz/shutdown")).toEqual({
    status: 500,
    text: "internal server error: process is shutting down\n",
  });
  expect((await get("/readyz", { exclude: "shutdown" })).status).toBe(200);
});

test("without its store a server is not well", async () => {
  const { get, store } = await openBench();
  await get("/livez");
  await store.close();
  const { status, text } = await get("/livez");
  expect(status).toBe(500);
  expect(text).toContain("[-]etcd failed: reason withheld\n");
});
