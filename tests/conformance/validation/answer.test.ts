import { realClock } from "@homeostat/concurrency";
import { printTime } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { managersOf, rename } from "./answer.ts";

const now = printTime(BigInt(Math.trunc(realClock.now())) * 1_000_000n)!;
const uid = "11111111-2222-3333-4444-555555555555";
const options = (said = "", generateName = "") => ({ said: () => said, generateName });

test("what a server chooses is renamed, in fields and in messages", () => {
  const body = {
    metadata: { uid, resourceVersion: "17", creationTimestamp: now },
    spec: { clusterIP: "10.0.0.9", ports: [{ nodePort: 30_001, port: 80 }] },
    message: `uid ${uid}, 10.0.0.9, ${now}, 0xc000123456`,
  };
  expect(rename(body, options())).toEqual({
    metadata: { uid: "{uid}", resourceVersion: "{rv}", creationTimestamp: "{time}" },
    spec: { clusterIP: "{ip}", ports: [{ nodePort: "{port}", port: 80 }] },
    message: "uid {uid}, {ip}, {time}, {pointer}",
  });
});

test("what the probe said, and what is of another day, stays", () => {
  const body = { uid, at: "2020-01-01T00:00:00Z", clusterIP: "10.0.0.9", nodePort: 30_001 };
  expect(rename(body, options(JSON.stringify(body)))).toEqual(body);
});

test("a part of what the probe said is not what it said", () => {
  const said = '{"clusterIP":"10.0.0.100","pods":"110","nodePort":30001}';
  expect(
    rename({ clusterIP: "10.0.0.10", metadata: { resourceVersion: "110" } }, options(said)),
  ).toEqual({ clusterIP: "{ip}", metadata: { resourceVersion: "{rv}" } });
});

test("a name that the server made of a prefix is renamed", () => {
  expect(rename({ name: "web-x2b4c", other: "web-aeiou" }, options("", "web-"))).toEqual({
    name: "web-{name}",
    other: "web-aeiou",
  });
});

test("managed fields leave the object and become a digest, without those of others", () => {
  const own = { manager: "probes", time: now, fieldsV1: { "f:data": {} } };
  const body = { metadata: { name: "a", managedFields: [own, { manager: "controller" }] } };
  expect(rename(body, options())).toEqual({ metadata: { name: "a" } });
  expect(managersOf(body, options())).toEqual({
    managedFields: [{ ...own, time: "{time}" }],
    managers: expect.stringMatching(/^[\w-]{6}$/) as string,
  });
  expect(managersOf({ metadata: {} }, options())).toEqual({});
});
