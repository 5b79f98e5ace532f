import { openMemoryStore } from "@homeostat/store";
import { createApiServer } from "./api-server.ts";
const store = openMemoryStore();
const server = await createApiServer({ store });
const user = { username: "a", groups: ["system:masters"] };
async function ask(method: string, path: string, body?: unknown, query?: Record<string,string>, headers: Record<string,string> = {}) {
  const answer = await server.door.send({ method: method as "GET", path, ...(query ? { query } : {}), headers, ...(body === undefined ? {} : { body: typeof body === "string" ? { kind: "bytes", bytes: Buffer.from(body) } : { kind: "value", value: body } }), user, want: "object" });
  return { status: answer.status, headers: answer.headers, object: (answer as any).object };
}
const show = (name: string, a: any) => console.log(name, a.status, String(JSON.stringify(a.object ?? null)).slice(0, 400), a.headers?.warning ?? "");
for (const f of ["constructor=x", "__proto__=x", "toString=x"]) show(f, await ask("GET", "/apis/events.k8s.io/v1/events", undefined, { fieldSelector: f }));
for (const p of ["/api/v1/constructor", "/api/v1/__proto__", "/apis/constructor/v1/x", "/apis/__proto__/v1", "/api/v1/namespaces/default/pods/a/constructor", "/api/v1/namespaces/default/services/kubernetes/constructor","/api/v1/namespaces/default/services/kubernetes/__proto__","/api/v1/namespaces/default/services/kubernetes/toString"]) show(p, await ask("GET", p));
show("kind ctor", await ask("POST", "/api/v1/namespaces/default/configmaps", { kind: "constructor", apiVersion: "v1" }));
show("kind proto", await ask("POST", "/api/v1/namespaces/default/configmaps", { kind: "__proto__", apiVersion: "__proto__/constructor" }));
show("rv huge exact", await ask("GET", "/api/v1/configmaps", undefined, { resourceVersion: "18446744073709551615", resourceVersionMatch: "Exact" }));
show("rv huge get", await ask("GET", "/api/v1/namespaces/default", undefined, { resourceVersion: "9007199254740993" }));
show("rv huge list", await ask("GET", "/api/v1/configmaps", undefined, { resourceVersion: "9007199254740993" , limit: "1"}));
show("dup in", await ask("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "l", labels: { a: "b", "x": "y" } } }));
show("dup in", await ask("GET", "/api/v1/configmaps", undefined, { labelSelector: "a in (b,b)" }));
show("dup in", await ask("GET", "/api/v1/configmaps", undefined, { labelSelector: "a in (b,b)" }));
show("unicode warn", await ask("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "w" }, "日本": 1, "__proto__x": 2 , "ctl\u0001": 1}));
show("yaml date", await ask("POST", "/api/v1/namespaces/default/configmaps", "metadata: {name: y}\ndata: {when: 2001-12-14, b: !!binary aGVsbG8=}\n", undefined, {"content-type": "application/yaml"}));
show("yaml date", await ask("POST", "/api/v1/namespaces/default/configmaps", "metadata: {name: y2}\ndata: {when: 2001-12-14}\n", undefined, {"content-type": "application/yaml"}));
show("svc explicit", await ask("POST", "/apis/networking.k8s.io/v1/ipaddresses", { metadata: { name: "10.0.0.77", labels: {} }, spec: { parentRef: { resource: "services", namespace: "default", name: "zz" } } }));
const dep = { metadata: { name: "d" }, spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } } } };
show("dep", await ask("POST", "/apis/apps/v1/namespaces/default/deployments", dep));
let got = (await ask("GET", "/apis/apps/v1/namespaces/default/deployments/d")).object;
let again = await ask("PUT", "/apis/apps/v1/namespaces/default/deployments/d", got);
console.log("put same", again.status, got.metadata.resourceVersion, again.object.metadata?.resourceVersion, again.object.metadata?.generation, again.object.message);
const c = structuredClone(got); c.spec.template.spec.containers[0].env = []; c.spec.template.metadata.creationTimestamp = null; c.spec.template.metadata.annotations = {}; c.spec.template.spec.volumes = null;
again = await ask("PUT", "/apis/apps/v1/namespaces/default/deployments/d", c);
console.log("put empties", again.status, got.metadata.resourceVersion, again.object.metadata?.resourceVersion, again.object.metadata?.generation, again.object.message);
// concurrent PUT creates
const role = (v: string) => ({ metadata: { name: "r", namespace: "default" }, rules: [{ apiGroups: [v], resources: ["x"], verbs: ["get"] }] });
const both = await Promise.all([ask("PUT", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/r", role("a")), ask("PUT", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/r", role("b"))]);
console.log("put race", both.map((x) => [x.status, x.object.message]));
// watch timeoutSeconds=-1
for (let i = 0; i < 5; i++) { const a: any = await server.door.send({ method: "GET", path: "/api/v1/configmaps", query: { watch: "1", timeoutSeconds: "-1" }, user, want: "object" }); for await (const _ of a.frames) {} }
console.log("watchers after -1:", store.statistics().watchers);
const ctl = new AbortController();
const w: any = await server.door.send({ method: "GET", path: "/api/v1/configmaps", query: { watch: "1" , resourceVersion: String(store.revision)}, user, want: "object", signal: ctl.signal });
const it = w.frames[Symbol.asyncIterator]();
const p = it.next(); ctl.abort(new Error("mine"));
console.log("aborted watch", await p.then((x: any) => x, (e: any) => String(e)));
console.log("svc with taken ip: may hang");
const t = setTimeout(() => { console.log("HANG"); process.exit(1); }, 3000);
show("svc", await ask("POST", "/api/v1/namespaces/default/services", { metadata: { name: "s" }, spec: { clusterIP: "10.0.0.77", ports: [{ port: 1 }] } }));
show("svc nodeport both", await ask("POST", "/api/v1/namespaces/default/services", { metadata: { name: "s2" }, spec: { type: "NodePort", ports: [{ name: "a", port: 1, nodePort: 30100, protocol: "TCP" }, { name: "b", port: 1, nodePort: 30100, protocol: "UDP" }] } }));
clearTimeout(t);
