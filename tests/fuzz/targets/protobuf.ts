import { decodeJson, encodeJson, equalJson, type JsonObject } from "@homeostat/object-model";
import { readFixture } from "../fixture-corpus.ts";
import { type FuzzTarget, pick, requireLaw } from "../fuzz-target.ts";
import { madeUpMessage } from "../made-up-message.ts";
import { openFuzzedPlane } from "../open-plane.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const PATHS = [
  "/api/v1/namespaces/default/pods",
  "/api/v1/namespaces/default/configmaps",
  "/api/v1/namespaces/default/secrets",
  "/api/v1/namespaces/default/services",
  "/apis/apps/v1/namespaces/default/deployments",
];
const OBJECTS: readonly (readonly [path: string, object: JsonObject])[] = [
  [
    PATHS[1]!,
    { metadata: { name: "a", labels: { a: "b" } }, data: { x: "y" }, binaryData: { z: "AAEC" } },
  ],
  [PATHS[2]!, { metadata: { name: "a", finalizers: ["x.io/y"] }, data: { x: "eQ==" } }],
  [
    PATHS[3]!,
    {
      metadata: { name: "a" },
      spec: { ports: [{ port: 80, targetPort: "http" }], selector: { a: "b" } },
    },
  ],
  [
    PATHS[0]!,
    {
      metadata: { name: "a", annotations: { k: "v" } },
      spec: {
        automountServiceAccountToken: false,
        containers: [
          {
            name: "c",
            image: "i",
            env: [{ name: "E", value: "V" }],
            resources: { limits: { cpu: "1" } },
          },
        ],
        terminationGracePeriodSeconds: 30,
      },
    },
  ],
];

/** Whatever is taken as protobuf prints to protobuf that is taken the same, and to the same JSON. */
export async function openProtobuf(): Promise<FuzzTarget> {
  const plane = await openFuzzedPlane();
  const create = (path: string, bytes: Uint8Array, { type = PROTOBUF, accept = PROTOBUF } = {}) =>
    plane.ask({
      method: "POST",
      path,
      query: { dryRun: "All" },
      headers: { "content-type": type, accept },
      body: { kind: "bytes", bytes },
    });
  const corpus = await Promise.all(
    OBJECTS.map(async ([path, object]) => {
      const json = { type: "application/json" };
      return (await create(path, Buffer.from(encodeJson(object)), json)).bytes;
    }),
  );
  const { objects } = readFixture("api-server/src/protobuf/fixtures/kube-apiserver-1.36.json");
  for (const { protobuf } of objects as { protobuf?: string }[]) {
    if (protobuf !== undefined) corpus.push(Buffer.from(protobuf, "hex"));
  }
  return {
    corpus,
    words: [
      "k8s\u0000",
      "\u0012\u0000",
      "\u000a\u0000",
      "\u00ff\u00ff\u00ff\u00ff\u000f",
      "v1",
      "Pod",
      "\u0080",
      "\u0001",
    ],
    generate: madeUpMessage,
    async run(input, random) {
      const path = pathOf(input) ?? pick(random, PATHS);
      const first = await create(path, input);
      if (first.status !== 201) return;
      const second = await create(path, first.bytes);
      requireLaw(
        second.status === 201,
        `its own protobuf is answered ${second.status}: ${String(Buffer.from(second.bytes))}`,
      );
      const asJson = await create(path, input, { accept: "application/json" });
      const again = await create(path, first.bytes, { accept: "application/json" });
      requireLaw(
        equalJson(timeless(again.bytes), timeless(asJson.bytes)),
        "its own protobuf makes another object",
      );
    },
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}

/** Where an object of the kind that its head names is created. */
function pathOf(input: Uint8Array): string | undefined {
  const head = Buffer.from(input.subarray(0, 40)).toString("latin1");
  return PATHS.find((path) => head.toLowerCase().includes(path.split("/").at(-1)!.slice(0, -1)));
}

/** Each creation has its own uid, and what was generated once is given the next time. */
function timeless(bytes: Uint8Array): JsonObject {
  const object = decodeJson(bytes) as JsonObject;
  const {
    uid: _,
    managedFields: __,
    creationTimestamp: ___,
    ...metadata
  } = object["metadata"] as JsonObject;
  const { clusterIP: ____, clusterIPs: _____, ...spec } = (object["spec"] ?? {}) as JsonObject;
  return { ...object, metadata, spec };
}
