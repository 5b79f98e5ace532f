import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { Target, TargetAnswer } from "../target.ts";

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly accept?: string;
  /** With the tag that the same request was answered with before. */
  readonly held?: true;
  /** With the hash that belongs to the document. */
  readonly hashed?: true;
}

const V2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const APPS = "/openapi/v3/apis/apps/v1";
const PROTOBUF = "application/com.github.proto-openapi.spec";

const asked: readonly Asked[] = [
  { path: "/openapi/v3" },
  { path: "/openapi/v3", accept: "text/html" },
  { path: "/openapi/v3", method: "POST" },
  { path: "/openapi/v3/" },
  { path: "/openapi/v3/apis/nothing/v1" },
  { path: "/openapi/v3/api/v1/" },
  { path: APPS },
  { path: APPS, held: true },
  { path: APPS, hashed: true },
  { path: APPS, hashed: true, held: true },
  { path: `${APPS}?hash=old` },
  { path: APPS, accept: "application/yaml" },
  { path: APPS, accept: "*/*" },
  { path: APPS, accept: `${PROTOBUF}.v3@v1.0+protobuf` },
  { path: APPS, accept: `${PROTOBUF}.v3.v1.0+protobuf` },
  { path: APPS, accept: `${PROTOBUF}.v2@v1.0+protobuf` },
  { path: APPS, accept: "application/json;q=0.5,*/*" },
  { path: "/openapi/v2" },
  { path: "/openapi/v2", held: true },
  { path: "/openapi/v2", accept: "application/yaml" },
  { path: "/openapi/v2", accept: `${PROTOBUF}.v2@v1.0+protobuf` },
  { path: "/openapi/v2", accept: `${PROTOBUF}.v2.v1.0+protobuf` },
  { path: "/openapi/v2/" },
  { path: "/openapi" },
  ...["/api", "/apis"].flatMap((path): Asked[] => [
    { path, accept: V2 },
    { path, accept: V2, held: true },
    { path: `${path}/`, accept: V2 },
    { path, accept: V2.replace("v2", "v2beta1") },
    { path, accept: `${V2.replace("v2", "v2beta1")},${V2}` },
    { path, accept: `application/json,${V2}` },
    { path, accept: `${V2},application/json` },
    { path, accept: V2.replace("json", "yaml") },
    { path, accept: V2.replace("json", "vnd.kubernetes.protobuf") },
    { path, accept: V2.replace("json", "cbor") },
    { path, accept: "text/html" },
  ]),
];

/** Status and headers of questions about documents, by the question. */
export async function documentHeaders(target: Target): Promise<JsonObject> {
  const found: JsonObject = {};
  for (const each of asked) found[JSON.stringify(each)] = await answerTo(target, each);
  return found;
}

async function answerTo(
  target: Target,
  { method = "GET", path, accept, held, hashed }: Asked,
): Promise<JsonValue> {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const send = (address: string): Promise<TargetAnswer> =>
    ask(target, { method, path: address, headers });
  let address = path;
  if (held === true || hashed === true) {
    const tag = String(headerOf(await send(path), "etag"));
    if (held === true) headers["if-none-match"] = tag;
    if (hashed === true) address = `${path}?hash=${tag.replaceAll('"', "")}`;
  }
  const answer = await send(address);
  const { status } = answer;
  return {
    status,
    "cache-control": headerOf(answer, "cache-control") ?? null,
    "content-type": headerOf(answer, "content-type") ?? null,
    vary: headerOf(answer, "vary") ?? null,
    ...Object.fromEntries(
      ["etag", "expires", "last-modified", "location"].map((name) => [
        name,
        headerOf(answer, name) !== undefined,
      ]),
    ),
  };
}

async function ask(
  target: Target,
  request: { method: string; path: string; headers: Readonly<Record<string, string>> },
): Promise<TargetAnswer> {
  const { signal } = new AbortController();
  const answer = await target.send({ ...request, headers: { ...request.headers }, signal });
  for await (const _chunk of answer.chunks);
  return answer;
}

function headerOf({ headers }: TargetAnswer, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : [value].flat().join(", ");
}
