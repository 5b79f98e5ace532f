import { request } from "node:https";
import { expect, test } from "vitest";
import { admissionFlags, KubeApiserverPeer } from "./kube-apiserver-peer.ts";

test("keeping one plugin turns off every other that is on by default, and only those", () => {
  const [off, ...rest] = admissionFlags(["NamespaceLifecycle"]);
  expect(off).toMatch(/^--disable-admission-plugins=LimitRanger,ServiceAccount,.*,ResourceQuota$/);
  expect(off).not.toContain("NamespaceLifecycle");
  expect(rest).toEqual([]);
  expect(admissionFlags(undefined)).toEqual([]);
  expect(admissionFlags(["NamespaceLifecycle", "AlwaysPullImages"])[1]).toBe(
    "--enable-admission-plugins=AlwaysPullImages",
  );
});

test.skipIf(KubeApiserverPeer.missingAssets().length > 0)(
  "a real kube-apiserver answers its admin, and its processes are gone after stop",
  { timeout: 120_000 },
  async () => {
    const peer = await KubeApiserverPeer.start({
      durable: false,
      admissionPlugins: ["NamespaceLifecycle"],
    });
    const pids = peer.pids;
    try {
      expect(peer.usage().residentBytes).toBeGreaterThan(50 * 2 ** 20);
      const { ca, clientCertificate: cert, clientKey: key } = peer.credentials;
      const text = await new Promise<string>((resolve, reject) => {
        request(
          `${peer.url}/api/v1/namespaces/default`,
          { ca, cert, key, agent: false },
          (answer) => {
            let body = "";
            answer.setEncoding("utf8").on("data", (part: string) => (body += part));
            answer.once("end", () => resolve(body));
          },
        )
          .once("error", reject)
          .end();
      });
      expect(JSON.parse(text)).toMatchObject({ kind: "Namespace", metadata: { name: "default" } });
    } finally {
      await peer.stop();
    }
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  },
);
