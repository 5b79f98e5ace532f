import { realClock, sleep } from "@homeostat/concurrency";
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { Target } from "../target.ts";
import { definitions, publishedSchemas } from "./definitions.ts";
import { documentHeaders } from "./document-headers.ts";
import { normalize } from "./normalize.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const attempts = 200;
const pause = 50;
/** Nobody gives up: both servers are ours to stop. */
const { signal } = new AbortController();

interface DocumentList {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Defines the custom resources, then reads all that a server says about itself, normalized. */
export async function servedDocuments(target: Target): Promise<ReadonlyMap<string, JsonValue>> {
  for (const definition of definitions) await define(target, definition);
  await untilPublished(target);
  const found = new Map<string, JsonValue>();
  for (const root of ["/api", "/apis"]) {
    found.set(`discovery ${root}`, normalize(await read(target, root, AGGREGATED)));
  }
  const { paths } = (await read(target, "/openapi/v3")) as unknown as DocumentList;
  for (const [name, { serverRelativeURL }] of Object.entries(paths)) {
    found.set(`openapi v3 ${name}`, normalize(await read(target, serverRelativeURL)));
  }
  found.set("openapi v2", normalize(await read(target, "/openapi/v2")));
  found.set("headers", normalize(await documentHeaders(target)));
  return found;
}

async function define(target: Target, definition: JsonObject): Promise<void> {
  const answer = await target.send({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(definition)),
    signal,
  });
  const text = await bodyOf(answer.chunks);
  if (answer.status !== 201) throw new Error(`${target.name} refused a definition: ${text}`);
}

/** Documents follow definitions a little later. */
async function untilPublished(target: Target): Promise<void> {
  const documents = ["/openapi/v2", "/openapi/v3/apis/openapi.example.com/v1"];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const texts = await Promise.all(documents.map((path) => readText(target, path)));
    if (texts.every((text) => publishedSchemas.every((name) => text.includes(`"${name}"`)))) return;
    await sleep(realClock, pause);
  }
  throw new Error(`${target.name} did not publish the definitions`);
}

async function read(target: Target, path: string, accept?: string): Promise<JsonValue> {
  return JSON.parse(await readText(target, path, accept)) as JsonValue;
}

async function readText(
  target: Target,
  path: string,
  accept = "application/json",
): Promise<string> {
  const { chunks } = await target.send({ method: "GET", path, headers: { accept }, signal });
  return bodyOf(chunks);
}

async function bodyOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}
