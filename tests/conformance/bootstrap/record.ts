// `node tests/conformance/bootstrap/record.ts`: starts a real kube-apiserver, waits until it has written
// what it begins with, and records it; prints the text for packages/api-server's default policy.
import { writeFile } from "node:fs/promises";
import { realClock, sleep } from "@homeostat/concurrency";
import { KubeApiserverPeer } from "../../../bench/harness/kube-apiserver-peer.ts";
import { HttpsTarget } from "../https-target.ts";
import { comparable, listEverything, printFreshPlane } from "./fresh-plane.ts";
import { policyText } from "./policy-text.ts";

/** The last are written some ten seconds after the start. */
const SETTLED_MS = 20_000;

await using peer = await KubeApiserverPeer.start({ durable: false });
await using target = new HttpsTarget({
  name: "kube-apiserver",
  url: peer.url,
  ...peer.credentials,
});
await sleep(realClock, SETTLED_MS);
const fresh = await listEverything(target);
const recording = new URL("fresh-plane.json", import.meta.url);
await writeFile(recording, printFreshPlane(comparable(fresh)));
process.stdout.write(`${policyText(fresh)}\n`);
