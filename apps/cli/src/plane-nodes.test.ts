import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { type Authority, openAuthority } from "@homeostat/certificates";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { KubeletFlags } from "./kubelet-flags.ts";
import { readNodeAccess } from "./plane-nodes.ts";

let authority: Authority;
beforeAll(async () => {
  authority = await openAuthority({ keptIn: "memory" });
});

/** A kubelet that tells who its client is. */
async function kubelet(): Promise<number> {
  const leaf = await authority.issue({
    subject: { commonName: "kubelet" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  const server = createServer(
    { cert: leaf.certificate, key: leaf.key, ca: authority.certificate, requestCert: true },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(String(subject.CN));
    },
  );
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function clientSeen(flags: KubeletFlags, port: number): Promise<string> {
  const own = await authority.issue({ subject: { commonName: "own" }, usage: "client" });
  const { connector } = readNodeAccess(flags, () => Promise.resolve(own));
  const to = {
    scheme: "https",
    host: "127.0.0.1",
    port,
    target: "/",
    peer: "kubelet",
    globalOnly: false,
  } as const;
  const { chunks } = await connector!.exchange(to, { method: "GET", headers: {} });
  return text(chunks);
}

function file(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "file"), content);
  return join(folder, "file");
}

const flags: KubeletFlags = { proxyLocalAddresses: false };

test("kubelets are shown the server's own certificate, or the one that flags name", async () => {
  const port = await kubelet();
  expect(await clientSeen(flags, port)).toBe("own");
  const given = await authority.issue({ subject: { commonName: "given" }, usage: "client" });
  const pair = {
    kubeletClientCertificate: file(given.certificate),
    kubeletClientKey: file(given.key),
  };
  expect(await clientSeen({ ...flags, ...pair }, port)).toBe("given");
});

test("a kubelet's certificate is verified where an authority is named", async () => {
  const port = await kubelet();
  const trusted = { ...flags, kubeletCertificateAuthority: file(authority.certificate) };
  expect(await clientSeen(trusted, port)).toBe("own");
  const other = await openAuthority({ keptIn: "memory" });
  const strange = { ...flags, kubeletCertificateAuthority: file(other.certificate) };
  await expect(clientSeen(strange, port)).rejects.toMatchObject({ code: "node-unreachable" });
});

test("half a pair, and files that are none, are told with their flags", () => {
  const own = (): Promise<never> => Promise.reject(new Error("nobody asks"));
  expect(() => readNodeAccess({ ...flags, kubeletClientKey: "x" }, own)).toThrow(
    "--kubelet-client-certificate and --kubelet-client-key go together; give both",
  );
  const kubeletCertificateAuthority = file("nothing");
  expect(() => readNodeAccess({ ...flags, kubeletCertificateAuthority }, own)).toThrow(
    `--kubelet-certificate-authority ${kubeletCertificateAuthority}: expected certificates in PEM form, got none`,
  );
});

test("what flags say of addresses reaches the server", () => {
  const own = (): Promise<never> => Promise.reject(new Error("nobody asks"));
  const types = ["InternalIP"];
  const given = { proxyLocalAddresses: true, kubeletPreferredAddressTypes: types };
  expect(readNodeAccess(given, own)).toMatchObject({
    allowLocalAddresses: true,
    addressTypes: types,
  });
});
