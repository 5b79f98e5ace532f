/** Commands of kubectl that go on while something else happens: watches, waits and the proxy. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, type TestContext, test, vi } from "vitest";
import { kubectlPrograms } from "./kubectl-programs.ts";
import { KubectlSession } from "./kubectl-session.ts";
import { mask, type RunPlaces } from "./masks.ts";
import { type ServerUnderTest, startServer } from "./server-under-test.ts";

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

type NextLine = () => Promise<string | undefined>;

/** The lines that a running command prints, one after the other; undefined after the last. */
function linesOf(child: ChildProcess): NextLine {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await lines.next();
    return done === true ? undefined : value;
  };
}

function masked(next: NextLine, places: RunPlaces): NextLine {
  return async () => {
    const line = await next();
    return line === undefined ? undefined : mask(line, places);
  };
}

for (const program of kubectlPrograms()) {
  describe.concurrent(`kubectl ${program.minorVersion}`, () => {
    let server: ServerUnderTest;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    async function open(
      namespace: string,
      { onTestFinished }: TestContext,
    ): Promise<{
      session: KubectlSession;
      start: (command: string) => NextLine;
    }> {
      const session = new KubectlSession(program, server.access);
      onTestFinished(() => session[Symbol.asyncDispose]());
      await session.enter(namespace);
      const places = { server: server.access.server, folder: session.folder };
      return { session, start: (command) => masked(linesOf(session.start(command)), places) };
    }

    test("get -w prints a line for every change that its selector sees", async (context) => {
      const { expect } = context;
      const { session, start } = await open("watching", context);
      await session.run("kubectl apply -f two-pods.yaml");
      const next = start("kubectl get pods -l tier=back -w --output-watch-events");
      expect([await next(), await next(), await next()]).toEqual([
        "EVENT   NAME   READY   STATUS   RESTARTS   AGE",
        "ADDED   three   0/2   Pending   0   AGE",
        "ADDED   two   0/1   Pending   0   AGE",
      ]);
      await session.run("kubectl label pod two tier=front --overwrite");
      expect(await next()).toBe("DELETED   two   0/1   Pending   0   AGE");
      await session.run("kubectl label pod two tier=back --overwrite");
      expect(await next()).toBe("ADDED   two   0/1   Pending   0   AGE");
      await session.run(
        `kubectl patch pod two --subresource=status -p '{"status":{"phase":"Running"}}'`,
      );
      expect(await next()).toBe("MODIFIED   two   0/1   Running   0   AGE");
      await session.run("kubectl delete pod three");
      expect(await next()).toBe("MODIFIED   three   0/2   Terminating   0   AGE");
      expect(await next()).toBe("DELETED   three   0/2   Terminating   0   AGE");
    });

    test("get -w -o jsonpath goes on with what the object becomes", async (context) => {
      const { expect } = context;
      const { session, start } = await open("following", context);
      await session.run("kubectl create configmap one --from-literal=a=1");
      const next = start(`kubectl get configmap one -w -o jsonpath='{.data.a}{"\\n"}'`);
      expect(await next()).toBe("1");
      await session.run(`kubectl patch configmap one -p '{"data":{"a":"2"}}'`);
      expect(await next()).toBe("2");
    });

    test("get -w of a custom resource prints the columns of its definition", async (context) => {
      const { expect } = context;
      const { session, start } = await open("customs", context);
      await session.run("kubectl create -f widgets-definition.yaml");
      await session.run("kubectl wait crd/widgets.kubectl.example.com --for=condition=Established");
      await session.run("kubectl create -f widget.yaml");
      const next = start("kubectl get widgets -w");
      expect([await next(), await next()]).toEqual(["NAME   COLOUR   AGE", "lamp   red   AGE"]);
      await session.run(`kubectl patch widget lamp --type=merge -p '{"spec":{"colour":"blue"}}'`);
      expect(await next()).toBe("lamp   blue   AGE");
    });

    test("wait --for=delete ends when the object is gone", async (context) => {
      const { expect } = context;
      const { session, start } = await open("waiting", context);
      await session.run("kubectl create configmap one --from-literal=a=1");
      const hold = `kubectl patch configmap one -p '{"metadata":{"finalizers":["example.com/hold"]}}'`;
      await session.run(hold);
      const next = start("kubectl delete configmap one; kubectl wait --for=delete configmap/one");
      expect(await next()).toMatch(/^configmap "one" deleted/);
      const release = `kubectl patch configmap one -p '{"metadata":{"finalizers":null}}'`;
      expect(await session.run(release)).toBe("configmap/one patched");
      expect(await next()).toBeUndefined();
    });

    test("rollout status ends when the last replica is there", async (context) => {
      const { expect } = context;
      const { session, start } = await open("rolling", context);
      await session.run(
        "kubectl create deployment web --image=registry.example/web:1 --replicas=2",
      );
      const status = (ready: number): string =>
        `kubectl patch deployment web --subresource=status --type=merge -p ` +
        `'{"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":${ready},"availableReplicas":${ready}}}'`;
      const next = start("kubectl rollout status deployment web");
      expect(await next()).toBe("Waiting for deployment spec update to be observed...");
      await session.run(status(0));
      const waiting = (ready: number): string =>
        `Waiting for deployment "web" rollout to finish: ${ready} of 2 updated replicas are available...`;
      expect(await next()).toBe(waiting(0));
      await session.run(status(1));
      expect(await next()).toBe(waiting(1));
      await session.run(status(2));
      expect(await next()).toBe('deployment "web" successfully rolled out');
    });

    test("proxy passes requests of other programs on", async (context) => {
      const { expect } = context;
      const { session } = await open("proxying", context);
      // Not masked: a port that the system gives away may look like the port of a node.
      const next = linesOf(session.start("kubectl proxy --port=0"));
      const [, port] = /Starting to serve on 127\.0\.0\.1:(\d+)/.exec((await next())!)!;
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/proxying`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        kind: "Namespace",
        metadata: { name: "proxying" },
      });
      const missing = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/nobody`);
      expect(await missing.json()).toMatchObject({ message: 'namespaces "nobody" not found' });
    });
  });
}
