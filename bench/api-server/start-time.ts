// From the start of the process to the first created object, on an empty data directory: a ConfigMap in
// the namespace "default", and beside it a Namespace, which kube-apiserver accepts before it has made
// "default". The questions are asked again and again from outside until they are answered.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DataFolder } from "../harness/data-folder.ts";
import { onExit } from "../harness/exit-cleanup.ts";
import { HomeostatPeer, type KubeconfigAccess, readKubeconfig } from "../harness/homeostat-peer.ts";
import { KubeApiserverPeer } from "../harness/kube-apiserver-peer.ts";
import { processTree } from "../harness/process-tree.ts";

class NotStartedError extends Error {
  readonly code = "NOT_STARTED";
}

const patienceMilliseconds = 60_000;

/** Milliseconds until each was created. */
export interface StartTimes {
  readonly namespace: number;
  readonly configMap: number;
}

/** A first start, which makes certificates, and a second one on the same data. */
export async function homeostatStart(): Promise<{ first: StartTimes; again: StartTimes }> {
  HomeostatPeer.prepare();
  await using folder = new DataFolder("start");
  return {
    first: await startOnce(folder.path, "first"),
    again: await startOnce(folder.path, "again"),
  };
}

async function startOnce(folder: string, name: string): Promise<StartTimes> {
  const kubeconfig = join(folder, "kubeconfig");
  const { command, args } = HomeostatPeer.command(folder);
  // Written when it is ready: the one of the start before says nothing.
  rmSync(kubeconfig, { force: true });
  const begin = performance.now();
  const child = spawn(command, args, { cwd: folder, stdio: "ignore" });
  const forget = onExit(() => child.kill("SIGKILL"));
  try {
    await until(begin, async () => {
      if (child.exitCode !== null) throw new NotStartedError("homeostat ended before it was ready");
      return existsSync(kubeconfig);
    });
    return await firstObjects({ access: readKubeconfig(kubeconfig), name, begin });
  } finally {
    if (child.exitCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    forget();
  }
}

/** From the start of etcd, which comes first. */
export async function kubeApiserverStart(signal: AbortSignal): Promise<StartTimes> {
  let isOver = false;
  const starting = KubeApiserverPeer.start({ durable: true, signal }).finally(() => {
    isOver = true;
  });
  const commandWith = async (flag: string): Promise<string> => {
    for (;;) {
      const found = commandsOfChildren().find((command) => command.includes(flag));
      if (found !== undefined) return found;
      if (isOver) throw new NotStartedError(`no process with ${flag} was started`);
      await sleep(2);
    }
  };
  const measuring = (async () => {
    await commandWith("--listen-client-urls=");
    const begin = performance.now();
    const access = accessOf(await commandWith("--secure-port="));
    return firstObjects({ access, name: "first", begin });
  })();
  const [peer, times] = await Promise.allSettled([starting, measuring]);
  if (peer.status === "rejected") throw peer.reason;
  await peer.value.stop();
  if (times.status === "rejected") throw times.reason;
  return times.value;
}

async function firstObjects(plane: {
  access: KubeconfigAccess;
  name: string;
  begin: number;
}): Promise<StartTimes> {
  const { access, name, begin } = plane;
  const created = async (path: string, kind: string): Promise<number> => {
    const body = JSON.stringify({ apiVersion: "v1", kind, metadata: { name } });
    await until(begin, () => creates(access, path, body));
    return performance.now() - begin;
  };
  const namespace = await created("/api/v1/namespaces", "Namespace");
  return {
    namespace,
    configMap: await created("/api/v1/namespaces/default/configmaps", "ConfigMap"),
  };
}

async function until(begin: number, isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) {
    if (performance.now() - begin > patienceMilliseconds) {
      throw new NotStartedError(`no object was created within ${patienceMilliseconds} ms`);
    }
    await sleep(1);
  }
}

function creates(access: KubeconfigAccess, path: string, body: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = request(
    `${access.url}${path}`,
    {
      method: "POST",
      ca: access.ca,
      cert: access.clientCertificate,
      key: access.clientKey,
      agent: false,
      headers: { "content-type": "application/json" },
    },
    (answer) => void answer.resume().once("end", () => resolve(answer.statusCode === 201)),
  );
  asked.once("error", () => resolve(false)).end(body);
  return promise;
}

/** The command lines of what this process started. */
function commandsOfChildren(): string[] {
  return processTree(process.pid).flatMap((pid) => {
    try {
      return pid === process.pid ? [] : [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
    } catch {
      return [];
    }
  });
}

/** How to get in, from kube-apiserver's own flags. */
function accessOf(command: string): KubeconfigAccess {
  const flag = (name: string): string =>
    command
      .split("\0")
      .find((part) => part.startsWith(`--${name}=`))!
      .slice(name.length + 3);
  const file = (name: string): string => readFileSync(join(flag("cert-dir"), name), "utf8");
  return {
    url: `https://127.0.0.1:${flag("secure-port")}`,
    ca: file("ca.crt"),
    clientCertificate: file("admin.crt"),
    clientKey: file("admin.key"),
  };
}
