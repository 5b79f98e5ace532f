/**
 * What a server holds before anybody has written to it, as lists of comparable objects. The recording
 * of kube-apiserver is fresh-plane.json; `record.ts` makes it anew, together with the text of the
 * default policy that our server starts with.
 */
import type { Target } from "../target.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type FreshObject = { [key: string]: Json };

/** By path of the list: `/apis/apps/v1/deployments`. Only what is not empty. */
export type FreshPlane = Record<string, FreshObject[]>;

/** Made up on every reading: nothing that is kept. */
const COMPUTED: ReadonlySet<string> = new Set(["/api/v1/componentstatuses"]);

/** Every listable kind, in the preferred version of its group, as it came. */
export async function listEverything(target: Target): Promise<FreshPlane> {
  const versions = ["/api/v1"];
  const { groups } = (await get(target, "/apis")) as {
    groups: { preferredVersion: { groupVersion: string } }[];
  };
  for (const { preferredVersion } of groups)
    versions.push(`/apis/${preferredVersion.groupVersion}`);
  const found: FreshPlane = {};
  for (const version of versions) {
    const { resources } = (await get(target, version)) as {
      resources: { name: string; verbs: string[] }[];
    };
    for (const { name, verbs } of resources) {
      const path = `${version}/${name}`;
      if (!verbs.includes("list") || COMPUTED.has(path)) continue;
      const { items } = (await get(target, path)) as { items: FreshObject[] | null };
      if (items !== null && items.length > 0) found[path] = items;
    }
  }
  return found;
}

async function get(target: Target, path: string): Promise<unknown> {
  const answer = await target.send({
    method: "GET",
    path,
    headers: {},
    signal: new AbortController().signal,
  });
  const parts: Uint8Array[] = [];
  for await (const chunk of answer.chunks) parts.push(chunk);
  return JSON.parse(Buffer.concat(parts).toString());
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** What differs from start to start is masked: identities, versions, times, certificates, addresses. */
export function comparable(plane: FreshPlane): FreshPlane {
  const masked = Object.entries(plane).map(([path, items]): [string, FreshObject[]] => {
    const objects = items.map((item) => mask(item, "") as FreshObject);
    return [path, objects.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))];
  });
  return Object.fromEntries(masked);
}

function textOf(object: FreshObject): string {
  return JSON.stringify(object);
}

function mask(value: Json, key: string): Json {
  if (Array.isArray(value)) return value.map((each) => mask(each, key));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, mask(each, name)]),
    );
  }
  if (typeof value === "number") return PORTS.has(key) && value !== 443 ? 6443 : value;
  if (typeof value !== "string") return value;
  if (MASKED.has(key)) return `<${key}>`;
  return value
    .replace(TIME, "<time>")
    .replace(DAY, "<day>")
    .replace(/^apiserver-[a-z0-9]{26}(_[-0-9a-f]{36})?$/, "apiserver-<identity>");
}

const PORTS: ReadonlySet<string> = new Set(["port", "targetPort"]);
const MASKED: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "client-ca-file",
  "ip",
  "addresses",
  "kubernetes.io/hostname",
  "kubernetes.io/peer-advertise-address",
]);

/** One object a line. */
export function printFreshPlane(plane: FreshPlane): string {
  const lists = Object.entries(plane).map(
    ([path, items]) => `${JSON.stringify(path)}: [\n${items.map(textOf).join(",\n")}\n]`,
  );
  return `{\n${lists.join(",\n")}\n}\n`;
}
