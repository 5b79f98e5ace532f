import type { SeededRandom } from "@homeostat/concurrency";
import { listBuiltinResources } from "@homeostat/object-model";
import { decode, encode, type FuzzTarget, pick, requireLaw } from "../fuzz-target.ts";
import { openFuzzedPlane } from "../open-plane.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const NAMES = [
  "a",
  "default",
  "..",
  "%2e%2e",
  "%2f",
  "%00",
  "%zz",
  "__proto__",
  "constructor",
  "日本",
  "a:b",
  "status",
  "scale",
  "log",
  "proxy",
  "",
  "x".repeat(300),
];
const QUERIES = [
  "limit=1",
  "continue=x",
  "labelSelector=a%3Db",
  "fieldSelector=metadata.name%3Da",
  "resourceVersion=0",
  "resourceVersionMatch=Exact",
  "pretty=true",
  "dryRun=All",
  "fieldManager=f",
  "fieldValidation=Strict",
  "gracePeriodSeconds=0",
  "propagationPolicy=Orphan",
  "timeoutSeconds=1",
  "allowWatchBookmarks=true",
  "__proto__=1",
  "=",
  "&",
  "%",
  "a=%zz",
  "watch=0",
];

/** Any target is answered with a status that a client can act on, and never with more than it may show. */
export async function openUrls(): Promise<FuzzTarget> {
  const plane = await openFuzzedPlane();
  const resources = listBuiltinResources().map(({ group, version, plural, scope }) => {
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    return `${root}${scope === "Namespaced" ? "/namespaces/default" : ""}/${plural}`;
  });
  const others = [
    "/",
    "/api",
    "/apis",
    "/apis/apps",
    "/apis/apps/v1",
    "/healthz",
    "/livez/ping",
    "/readyz?verbose",
    "/version",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/api/v1",
    "/.well-known/openid-configuration",
    "/openid/v1/jwks",
    "/metrics",
    "/logs",
    "/debug/pprof",
  ];
  return {
    corpus: [...resources, ...others, `${resources[0]!}?limit=1&labelSelector=a`].map(encode),
    words: [
      ...NAMES,
      ...QUERIES.map((each) => `&${each}`),
      "?",
      "/",
      "//",
      "/../",
      "/./",
      ";",
      "#",
      "@",
      "\\",
      "watch/",
      "namespaces/",
    ],
    generate: (random) => encode(made(random, [...resources, ...others])),
    async run(input, random) {
      const [path = "", ...query] = decode(input).replaceAll("\n", "").split("?");
      const method = pick(random, METHODS);
      const parameters = Object.fromEntries(new URLSearchParams(query.join("?")));
      // A watch would wait for its time, and a list of the future for its revision.
      const { watch: _, resourceVersion: __, ...rest } = parameters;
      const { status } = await plane.ask({
        method,
        path: path.startsWith("/") ? path : `/${path}`,
        query: rest,
        headers: { "content-type": "application/json" },
        ...(method === "GET" || method === "HEAD"
          ? {}
          : { body: { kind: "bytes", bytes: encode("{}") } }),
      });
      requireLaw(status >= 200 && status < 600, `answered ${status}`);
    },
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}

function made(random: SeededRandom, bases: readonly string[]): string {
  const steps = Array.from({ length: random.below(4) }, () => pick(random, NAMES));
  const query = Array.from({ length: random.below(4) }, () => pick(random, QUERIES));
  return `${[pick(random, bases), ...steps].join("/")}?${query.join("&")}`;
}
