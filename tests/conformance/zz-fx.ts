import { HttpsTarget } from "./https-target.ts";
import { openEmbeddedTarget } from "./embedded-target.ts";
import { readFileSync } from "node:fs";
const peer = new HttpsTarget({ name: "k", url: "https://127.0.0.1:44721", ca: readFileSync("/tmp/peer/ca.crt","utf8"), clientCertificate: readFileSync("/tmp/peer/admin.crt","utf8"), clientKey: readFileSync("/tmp/peer/admin.key","utf8") });
const ours = await openEmbeddedTarget();
const ns = "fx" + Math.floor(performance.timeOrigin).toString(36);
const all = process.argv[3] === "all";
async function ask(t: any, [method, path, body, type = "application/json"]: any) {
  const text0 = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const a = await t.send({ method, path: path.replaceAll("NS", ns), headers: { "content-type": type === "m" ? "application/merge-patch+json" : type === "s" ? "application/strategic-merge-patch+json" : type === "j" ? "application/json-patch+json" : type }, ...(text0 === undefined ? {} : { body: Buffer.from(text0.replaceAll("NS", ns)) }), signal: AbortSignal.timeout(20000) });
  const chunks: Buffer[] = [];
  for await (const c of a.chunks) chunks.push(Buffer.from(c));
  let text = Buffer.concat(chunks).toString();
  try { const v = JSON.parse(text); delete v.metadata?.managedFields; for (const i of v.items ?? []) delete i.metadata?.managedFields; text = JSON.stringify(v); } catch {}
  text = text.replaceAll(/"uid":"[^"]*"/g, '"uid":"U"').replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"R"').replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "T").replaceAll(ns, "NS").replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "U");
  const w = a.headers.warning;
  return `${a.status}${w ? ` W:${[w].flat().join("|")}` : ""} ${text}`;
}
const steps = readFileSync(process.argv[2]!, "utf8").split("\n").filter((l) => l.trim() !== "" && !l.startsWith("#")).map((l) => JSON.parse(l));
for (const s of [["POST", "/api/v1/namespaces", { metadata: { name: ns } }], ...steps]) {
  const [a, b] = [await ask(peer, s), await ask(ours, s)];
  if (a !== b || all) console.log(`${a === b ? "same" : "DIFF"} ${JSON.stringify(s).slice(0, 300)}\n   want ${a.slice(0, 900)}${a === b ? "" : `\n   got  ${b.slice(0, 900)}`}`);
}
await ask(peer, ["DELETE", `/api/v1/namespaces/${ns}`]);
process.exit(0);
