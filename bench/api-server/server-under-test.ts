// Servers in the process of a test, as the driver reaches them. They end with the test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createApiServer, listenHttps } from "@homeostat/api-server";
import { openMemoryStore } from "@homeostat/store";
import { onTestFinished } from "vitest";
import { DataFolder } from "../harness/data-folder.ts";
import { writeCertificates } from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { processUsage } from "../harness/process-usage.ts";
import { serveBareHandler } from "./bare-handler.ts";

/** A folder with what `writeCertificates` writes. */
export async function certificates(): Promise<string> {
  const folder = new DataFolder("server-under-test");
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await writeCertificates(folder.path);
  return folder.path;
}

/** What listens there with these certificates, as its admin reaches it. */
export function reachedAt(url: string, folder: string): LoadedServer {
  return {
    name: "under test",
    url,
    files: {
      ca: join(folder, "ca.crt"),
      clientCertificate: join(folder, "client.crt"),
      clientKey: join(folder, "client.key"),
    },
    usage: () => processUsage(process.pid),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

export async function bareHandler(options: { plain?: boolean } = {}): Promise<LoadedServer> {
  const folder = await certificates();
  const directory = join(folder, "store");
  const handler = await serveBareHandler({ certificates: folder, directory, port: 0, ...options });
  onTestFinished(() => handler[Symbol.asyncDispose]());
  return reachedAt(handler.url, folder);
}

/** Our API server, which believes the certificates of one more authority if a file is given. */
export async function apiServer(authorityFile?: string): Promise<LoadedServer> {
  const folder = await certificates();
  const file = (name: string): string => readFileSync(join(folder, name), "utf8");
  const store = openMemoryStore();
  const server = await createApiServer({ store });
  const more = authorityFile === undefined ? "" : readFileSync(authorityFile, "utf8");
  const listener = await listenHttps({
    server,
    port: 0,
    certificate: file("server.crt"),
    key: file("server.key"),
    clientAuthority: file("ca.crt") + more,
  });
  onTestFinished(async () => {
    await server.close();
    await listener.close();
    await store.close();
  });
  return reachedAt(`https://127.0.0.1:${listener.port}`, folder);
}
