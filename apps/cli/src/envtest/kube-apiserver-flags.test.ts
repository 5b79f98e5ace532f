import { Command } from "commander";
import { expect, test } from "vitest";
import type { FlagSort } from "./go-flags.ts";
import { flagSorts, kubeApiserverHelp, readKubeApiserverFlags } from "./kube-apiserver-flags.ts";

const serving: ReadonlyMap<string, FlagSort> = new Map([
  ["anonymous-auth", "boolean"],
  ["authorization-mode", "value"],
  ["bind-address", "value"],
  ["data-dir", "value"],
  ["disable-admission-plugins", "value"],
  ["port", "value"],
  ["service-account-issuer", "value"],
  ["service-cluster-ip-range", "value"],
]);

const read = (...args: string[]): ReturnType<typeof readKubeApiserverFlags> =>
  readKubeApiserverFlags(args, serving);
const etcd = "--etcd-servers=http://127.0.0.1:2379";

test("what controller-runtime passes is understood without a warning", () => {
  const flags = read(
    "--allow-privileged=true",
    "--authorization-mode=RBAC",
    "--bind-address=127.0.0.1",
    "--cert-dir=/tmp/c",
    "--disable-admission-plugins=ServiceAccount",
    etcd,
    "--insecure-port=0",
    "--secure-port=1234",
    "--service-account-issuer=https://127.0.0.1:1234/",
  );
  expect(flags).toMatchObject({ certDirectory: "/tmp/c", warnings: [] });
  expect(flags.etcd.servers.map(String)).toEqual(["http://127.0.0.1:2379/"]);
  expect(flags.serving).toEqual([
    "--authorization-mode=RBAC",
    "--bind-address=127.0.0.1",
    "--disable-admission-plugins=ServiceAccount",
    "--service-account-issuer=https://127.0.0.1:1234/",
    "--port=1234",
  ]);
});

test("what the Java test environments pass is understood without a warning", () => {
  const flags = read(
    ..."--cert-dir /tmp/c --secure-port 1234 --etcd-servers http://0.0.0.0:2379 --authorization-mode RBAC --service-account-issuer https://localhost --service-account-issuer /tmp/c/apiserver.crt --disable-admission-plugins ServiceAccount --service-cluster-ip-range 10.0.0.0/24 --allow-privileged".split(
      " ",
    ),
  );
  expect(flags.warnings).toEqual([]);
  expect(flags.serving).toContain("--service-account-issuer=/tmp/c/apiserver.crt");
  expect(flags.serving).toContain("--bind-address=0.0.0.0");
});

test("what is not given is as kube-apiserver has it", () => {
  const { serving: words, warnings, etcd: access } = read(etcd);
  expect(words).toEqual([
    "--port=6443",
    "--bind-address=0.0.0.0",
    "--authorization-mode=AlwaysAllow",
    "--anonymous-auth=false",
  ]);
  expect(warnings).toEqual([expect.stringContaining("Resetting AnonymousAuth to false")]);
  expect(access.prefix).toBe("/registry");
});

test("what changes nothing is told, and goes on", () => {
  const { warnings } = read(
    etcd,
    "--authorization-mode=RBAC",
    "--brand-new",
    "thing",
    "--data-dir=/x",
    "--feature-gates=A=true,B=false",
    "--runtime-config=api/all=true",
    "--profiling=false",
  );
  expect(warnings).toEqual([
    "unknown flag: --brand-new thing; it is ignored",
    "unknown flag: --data-dir=/x; it is ignored",
    "--feature-gates=A=true changes nothing: served is what Kubernetes 1.36 has on by default",
    "--feature-gates=B=false changes nothing: served is what Kubernetes 1.36 has on by default",
    "--runtime-config=api/all=true changes nothing: served is what Kubernetes 1.36 has on by default",
  ]);
});

test.for([
  [["--secure-port=1"], "--etcd-servers must be specified"],
  [
    [etcd, "--secure-port=0"],
    "--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0",
  ],
  [[etcd, "--insecure-port=8080"], "plain HTTP is not served"],
  [[etcd, "--storage-backend=etcd2"], "--storage-backend invalid, allowed values: etcd3."],
  [[etcd, "--advertise-address=here"], 'failed to parse IP: "here"'],
  [["--etcd-servers=unix:///x"], 'got "unix:///x", expected URLs of http or https'],
  [[etcd, "word"], '"kube-apiserver" does not take any arguments, got ["word"]'],
] as const)("%j is refused", ([args, message]) => {
  expect(() => read(...args)).toThrow(message);
});

test("the help names flags where programs look for them, and hides those of old versions", () => {
  const help = kubeApiserverHelp(serving);
  expect(help).toMatch(/^\s*--etcd-servers\b/m);
  expect(help).toMatch(/^\s*--disable-admission-plugins\b/m);
  expect(help).not.toMatch(/^\s*--insecure-port\b/m);
  expect(help).not.toContain("--data-dir");
});

test("a command says which of its flags take values", () => {
  const command = new Command().option("--a <x>").option("--b [x]").option("--c");
  expect([...flagSorts(command)]).toEqual([
    ["a", "value"],
    ["b", "boolean"],
    ["c", "boolean"],
  ]);
});
