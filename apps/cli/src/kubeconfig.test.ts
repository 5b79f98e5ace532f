import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "@homeostat/concurrency";
import { expect, onTestFinished, test } from "vitest";
import { findKubectl } from "./command-under-test.ts";
import { checkKubeconfigPath, KubeconfigError, writeKubeconfig } from "./kubeconfig.ts";

const content = {
  server: "https://[::1]:6443",
  authority: "-----BEGIN CERTIFICATE-----\nauthority\n",
  certificate: "certificate",
  key: "key",
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a kubeconfig holds the server and the credentials, for its owner alone", () => {
  const folder = newFolder();
  const file = join(folder, "config");
  writeKubeconfig(file, content, systemRandom);
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines).toContain(`    server: ${content.server}`);
  expect(lines).toContain(`    certificate-authority-data: ${base64(content.authority)}`);
  expect(lines).toContain(`    client-certificate-data: ${base64("certificate")}`);
  expect(lines).toContain(`    client-key-data: ${base64("key")}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["config"]);
});

const kubectl = findKubectl();

test.skipIf(kubectl === undefined)("kubectl reads it: one cluster, one user, one context", () => {
  const file = join(newFolder(), "config");
  writeKubeconfig(file, content, systemRandom);
  const flags = ["config", "view", "--raw", "--output=json", `--kubeconfig=${file}`];
  const config: unknown = JSON.parse(execFileSync(kubectl!, flags, { encoding: "utf8" }));
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  expect(config).toMatchObject({
    "current-context": "homeostat",
    clusters: [
      {
        name: "homeostat",
        cluster: {
          server: content.server,
          "certificate-authority-data": base64(content.authority),
        },
      },
    ],
    users: [
      {
        name: "homeostat-admin",
        user: {
          "client-certificate-data": base64("certificate"),
          "client-key-data": base64("key"),
        },
      },
    ],
    contexts: [{ name: "homeostat", context: { cluster: "homeostat", user: "homeostat-admin" } }],
  });
});

test("its own file may be replaced, also when kubectl has rewritten it, and an empty one", () => {
  const file = join(newFolder(), "config");
  writeKubeconfig(file, content, systemRandom);
  expect(checkKubeconfigPath(file)).toBe(file);
  writeFileSync(
    file,
    "apiVersion: v1\nclusters:\n- cluster:\n    server: https://127.0.0.1:1\n  name: homeostat\ncontexts:\n- context:\n    cluster: homeostat\n    namespace: a\n    user: homeostat-admin\n  name: homeostat\nusers:\n- name: homeostat-admin\n",
  );
  expect(checkKubeconfigPath(file)).toBe(file);
  writeFileSync(file, "");
  expect(checkKubeconfigPath(file)).toBe(file);
});

test("a file with other clusters in it, or with anything else, is left alone", () => {
  const file = join(newFolder(), "config");
  for (const text of [
    "apiVersion: v1\nclusters:\n- cluster: {}\n  name: production\n",
    "apiVersion: v1\nclusters:\n- name: homeostat\n- name: production\n",
    "a diary",
  ]) {
    writeFileSync(file, text);
    expect(() => checkKubeconfigPath(file)).toThrow(KubeconfigError);
    expect(() => checkKubeconfigPath(file)).toThrow("choose another file with --kubeconfig");
  }
});

test("a missing directory and a directory as the file are told", () => {
  const folder = newFolder();
  expect(() => checkKubeconfigPath(join(folder, "a", "config"))).toThrow(
    `directory ${join(folder, "a")} does not exist`,
  );
  expect(() => checkKubeconfigPath(folder)).toThrow("holds something");
});

test("a link is followed, not replaced", () => {
  const folder = newFolder();
  const target = join(folder, "target");
  writeFileSync(target, "");
  symlinkSync(target, join(folder, "link"));
  expect(checkKubeconfigPath(join(folder, "link"))).toBe(target);
});

test("what cannot be written is told, and leaves nothing behind", () => {
  const folder = newFolder();
  const file = join(folder, "gone", "config");
  expect(() => writeKubeconfig(file, content, systemRandom)).toThrow("cannot be written: ENOENT");
  expect(existsSync(join(folder, "gone"))).toBe(false);
});
