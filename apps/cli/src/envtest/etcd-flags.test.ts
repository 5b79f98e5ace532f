import { expect, test } from "vitest";
import { etcdHelp, readEtcdFlags } from "./etcd-flags.ts";

test("what controller-runtime passes is understood", () => {
  const flags = readEtcdFlags([
    "--advertise-client-urls=http://127.0.0.1:1",
    "--data-dir=/tmp/d",
    "--listen-client-urls=http://127.0.0.1:1",
    "--listen-peer-urls=http://127.0.0.1:2",
    "--unsafe-no-fsync=true",
  ]);
  expect(flags).toMatchObject({ dataDirectory: "/tmp/d", unknown: [], autoTls: false });
  expect(flags.listenUrls.map(String)).toEqual(["http://127.0.0.1:1/"]);
});

test("what the Java test environments pass is understood", () => {
  const flags = readEtcdFlags(
    "-data-dir /tmp/d -wal-dir /tmp/w --listen-client-urls http://0.0.0.0:1 --advertise-client-urls http://0.0.0.0:1 --initial-cluster default=http://localhost:2 --initial-advertise-peer-urls http://localhost:2 --listen-peer-urls http://localhost:2".split(
      " ",
    ),
  );
  expect(flags).toMatchObject({ dataDirectory: "/tmp/d", unknown: [] });
});

test("what is not given is as etcd has it", () => {
  expect(readEtcdFlags([])).toMatchObject({ dataDirectory: "default.etcd", clientCertAuth: false });
  expect(readEtcdFlags(["--name=one"]).dataDirectory).toBe("one.etcd");
  expect(readEtcdFlags([]).listenUrls.map(String)).toEqual(["http://localhost:2379/"]);
});

test("unknown flags are told, wrong ones refused", () => {
  expect(readEtcdFlags(["--new-thing", "on"]).unknown).toEqual(["--new-thing on"]);
  expect(() => readEtcdFlags(["word"])).toThrow("'word' is not a valid flag");
  expect(() => readEtcdFlags(["--listen-client-urls=unix:///x"])).toThrow('got "unix:///x"');
  expect(() => readEtcdFlags(["--listen-client-urls=localhost"])).toThrow('got "localhost"');
});

test("the help names the flag that envtest looks for", () => {
  expect(etcdHelp()).toMatch(/^\s*--unsafe-no-fsync\b/m);
});
