import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type KubeletPlane, openKubeletPlane } from "./kubelet-plane.ts";
import { podOnNode } from "./pod-on-node.ts";
import { KUBECTL, KubectlRunner } from "./run-kubectl.ts";
import { untilClosed } from "./until-closed.ts";

async function open(): Promise<{ plane: KubeletPlane; kubectl: KubectlRunner }> {
  const plane = await openKubeletPlane();
  onTestFinished(() => plane[Symbol.asyncDispose]());
  const kubectl = new KubectlRunner(plane.access);
  onTestFinished(() => kubectl[Symbol.asyncDispose]());
  await podOnNode(plane);
  return { plane, kubectl };
}

test.skipIf(KUBECTL === undefined)(
  "kubectl logs prints what the container printed, and its end",
  async () => {
    const { plane, kubectl } = await open();
    const log = plane.kubelet.log("default/web/main");
    for (const each of ["one", "two", "three"]) log.append(each);
    expect(await kubectl.run(["logs", "web"])).toEqual({
      code: 0,
      output: "one\ntwo\nthree\n",
      errors: "",
    });
    expect((await kubectl.run(["logs", "web", "--tail=1"])).output).toBe("three\n");
    expect(await kubectl.run(["logs", "web", "--previous"])).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        'previous terminated container "main" in pod "web" not found',
      ),
    });
  },
);

test.skipIf(KUBECTL === undefined)(
  "kubectl logs -f shows lines as they come, and lets go when stopped",
  async () => {
    const { plane, kubectl } = await open();
    const log = plane.kubelet.log("default/web/main");
    log.append("before");
    const child = kubectl.start(["logs", "-f", "web"]);
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("before");
    log.append("after");
    expect((await lines.next()).value).toBe("after");
    expect(plane.kubelet.sockets.size).toBe(1);
    const [socket] = plane.kubelet.sockets;
    child.kill("SIGINT");
    await untilClosed(socket!);
    expect(plane.kubelet.sockets.size).toBe(0);
  },
);

for (const sockets of ["true", "false"]) {
  const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: sockets };
  const over = sockets === "true" ? "WebSocket" : "SPDY";

  test.skipIf(KUBECTL === undefined)(
    `kubectl exec over ${over} gives output, errors and the exit code`,
    async () => {
      const { plane, kubectl } = await open();
      const command = ["exec", "web", "--", "sh", "-c", "echo out; echo err >&2; exit 3"];
      const outcome = await kubectl.run(command, { env });
      expect(outcome).toMatchObject({ code: 3, output: "out\n" });
      expect(outcome.errors).toContain("err\n");
      expect(plane.kubelet.requests.at(-1)!.headers.upgrade).toBe(
        sockets === "true" ? "websocket" : "SPDY/3.1",
      );
    },
  );

  test.skipIf(KUBECTL === undefined)(
    `kubectl exec -i over ${over} carries a megabyte in and out`,
    async () => {
      const { kubectl } = await open();
      const input = "0123456789abcdef".repeat(65_536);
      const outcome = await kubectl.run(["exec", "-i", "web", "--", "cat"], { input, env });
      expect(outcome.errors).toBe("");
      expect(outcome.code).toBe(0);
      expect(outcome.output === input).toBe(true);
    },
  );

  test.skipIf(KUBECTL === undefined)(
    `kubectl attach -i over ${over} speaks with the container`,
    async () => {
      const { kubectl } = await open();
      const outcome = await kubectl.run(["attach", "-i", "web"], { input: "hello\n", env });
      expect(outcome).toMatchObject({ code: 0, output: expect.stringContaining("hello\n") });
    },
  );

  test.skipIf(KUBECTL === undefined)(
    `kubectl port-forward, WebSockets ${sockets}, joins a local port with the pod's`,
    async () => {
      const { kubectl } = await open();
      const echo = createServer((socket) => void socket.pipe(socket));
      onTestFinished(() => void echo.close());
      await new Promise<void>((done) => void echo.listen(0, "127.0.0.1", done));
      const { port } = echo.address() as AddressInfo;
      const child = kubectl.start(["port-forward", "web", `:${port}`], {
        KUBECTL_PORT_FORWARD_WEBSOCKETS: sockets,
      });
      const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
      const local = Number(/127\.0\.0\.1:(\d+)/.exec(String((await lines.next()).value))![1]);
      for (const size of [5, 200_000]) {
        const said = "x".repeat(size);
        const socket = connect(local, "127.0.0.1");
        socket.end(said);
        expect((await text(socket)) === said).toBe(true);
      }
    },
  );
}

test.skipIf(KUBECTL === undefined)(
  "kubectl turns to SPDY where the kubelet refuses WebSockets",
  async () => {
    const { plane, kubectl } = await open();
    plane.kubelet.speaksWebSocket = false;
    expect(await kubectl.run(["exec", "web", "--", "echo", "done"])).toMatchObject({
      code: 0,
      output: "done\n",
    });
    const asked = plane.kubelet.requests.map(({ headers }) => headers.upgrade);
    expect(asked).toEqual(["websocket", "SPDY/3.1"]);
  },
);

test.skipIf(KUBECTL === undefined)("kubectl cp brings a file to the pod and back", async () => {
  const { plane, kubectl } = await open();
  const from = join(plane.folder, "from.txt");
  writeFileSync(from, "content\n");
  expect(await kubectl.run(["cp", from, "web:there.txt"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(plane.folder, "there.txt"), "utf8")).toBe("content\n");
  const back = join(plane.folder, "back.txt");
  expect(await kubectl.run(["cp", "web:from.txt", back])).toMatchObject({ code: 0 });
  expect(readFileSync(back, "utf8")).toBe("content\n");
});

test.skipIf(KUBECTL === undefined)(
  "kubectl get --raw goes through the proxy of a node",
  async () => {
    const { plane, kubectl } = await open();
    plane.kubelet.setPods([{ metadata: { name: "web" } }]);
    const { output } = await kubectl.run(["get", "--raw", "/api/v1/nodes/node-1/proxy/pods"]);
    expect(JSON.parse(output)).toMatchObject({ items: [{ metadata: { name: "web" } }] });
  },
);

test.skipIf(KUBECTL === undefined)("kubectl tells why it may not", async () => {
  const { plane } = await open();
  await using kubectl = new KubectlRunner(await plane.accessOf("nobody", []));
  const outcome = await kubectl.run(["exec", "web", "--", "true"]);
  expect(outcome).toMatchObject({ code: 1, output: "" });
  expect(outcome.errors).toContain(
    'pods "web" is forbidden: User "nobody" cannot get resource "pods"',
  );
  expect(plane.kubelet.requests).toEqual([]);
});
