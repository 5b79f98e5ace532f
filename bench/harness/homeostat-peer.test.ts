import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readKubeconfig } from "./homeostat-peer.ts";

function kubeconfig(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "kubeconfig");
  writeFileSync(file, text);
  return file;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const access = {
  url: "https://127.0.0.1:6443",
  ca: "CA\n",
  clientCertificate: "C",
  clientKey: "K",
};

test("a kubeconfig in YAML gives address and certificates", () => {
  const file = kubeconfig(`apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${base64("CA\n")}
    server: https://127.0.0.1:6443
  name: homeostat
users:
- name: admin
  user:
    client-certificate-data: ${base64("C")}
    client-key-data: ${base64("K")}
`);
  expect(readKubeconfig(file)).toEqual(access);
});

test("a kubeconfig in JSON does too", () => {
  const cluster = { "certificate-authority-data": base64("CA\n"), server: access.url };
  const user = { "client-certificate-data": base64("C"), "client-key-data": base64("K") };
  const file = kubeconfig(JSON.stringify({ clusters: [{ cluster }], users: [{ user }] }));
  expect(readKubeconfig(file)).toEqual(access);
});

test("a kubeconfig without a client certificate says what is missing", () => {
  const file = kubeconfig("server: https://127.0.0.1:1\ncertificate-authority-data: QQ==\n");
  expect(() => readKubeconfig(file)).toThrow("has no client-certificate-data");
});
