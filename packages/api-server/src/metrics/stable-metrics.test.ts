/** What kube-apiserver promises to tell under the same names, as recorded from 1.36. */
import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest, JsonObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import stable from "./fixtures/stable-metrics.json" with { type: "json" };

const MASTER = { username: "admin", groups: ["system:masters"] };
const NAMESPACE = "/api/v1/namespaces/default";
const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

async function openBench(allowed: boolean | "broken" = true) {
  const clock = new ManualClock();
  const server = await clock.runUntil(
    createApiServer({
      store: openMemoryStore({ clock }),
      clock,
      random: seededRandom(1),
      webhooks: {
        post: async (_target, review) => {
          if (allowed === "broken") throw new Error("no answer");
          const { uid } = review["request"] as JsonObject;
          const { kind, apiVersion } = review;
          return { kind, apiVersion, response: { uid, allowed } } as JsonObject;
        },
      },
    }),
  );
  const send = (request: Partial<DoorRequest> & { readonly path: string }) =>
    server.door.send({ method: "GET", user: MASTER, want: "bytes", ...request });
  const create = (path: string, value: object) =>
    clock.runUntil(send({ method: "POST", path, body: { kind: "value", value } }));
  const register = (failurePolicy: string) =>
    create(WEBHOOKS, {
      metadata: { name: "hooks" },
      webhooks: [
        {
          name: "see.hooks.test",
          clientConfig: { url: "https://hooks.test/see" },
          rules: [
            {
              operations: ["CREATE"],
              apiGroups: [""],
              apiVersions: ["v1"],
              resources: ["configmaps"],
            },
          ],
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          failurePolicy,
        },
      ],
    });
  const read = async (path: string): Promise<string> => {
    const answer = await send({ path });
    if (answer.kind !== "bytes") throw new Error("expected bytes");
    return Buffer.from(answer.bytes).toString();
  };
  return { clock, server, send, create, register, read };
}

function labelsIn(sample: string): readonly string[] {
  return [...sample.matchAll(/(\w+)="/g)].map(([, name]) => name!).filter((name) => name !== "le");
}

test("every stable metric of kube-apiserver is told: its type, help, labels and buckets", async () => {
  const { clock, send, create, register, read } = await openBench();
  await register("Fail");
  expect((await create(`${NAMESPACE}/configmaps`, { metadata: { name: "a" } })).status).toBe(201);
  await clock.runUntil(send({ path: `${NAMESPACE}/endpoints` }));
  await clock.runUntil(send({ path: `${NAMESPACE}/configmaps`, query: { watch: "1" } }));
  await clock.runUntil(send({ path: "/readyz" }));
  const lines = `${await read("/metrics")}${await read("/metrics/slis")}`.split("\n");
  for (const { name, type, help, labels, buckets } of stable) {
    expect(lines).toContain(`# TYPE ${name} ${type}`);
    const told = lines.find((line) => line.startsWith(`# HELP ${name} `))!;
    expect(told.slice(`# HELP ${name} `.length)).toMatch(/^\[STABLE\] /);
    expect(told.endsWith(help)).toBe(true);
    const suffix = type === "histogram" ? "_bucket" : "";
    const samples = lines.filter((line) => line.startsWith(`${name}${suffix}{`));
    expect({ name, labels: labelsIn(samples[0] ?? "").toSorted() }).toEqual({ name, labels });
    if (type !== "histogram") continue;
    const first = samples[0]!.replace(/le=.*/, "");
    const bounds = samples
      .filter((line) => line.startsWith(first))
      .map((line) => Number(/le="([^"]*)"/.exec(line)![1]!.replace("+Inf", "Infinity")));
    expect({ name, bounds }).toEqual({ name, bounds: [...buckets, Number.POSITIVE_INFINITY] });
  }
});

test.each([
  [
    true,
    "Fail",
    [
      'apiserver_admission_webhook_request_total{code="200",name="see.hooks.test",operation="CREATE",rejected="false",type="validating"} 1',
    ],
  ],
  [
    false,
    "Fail",
    [
      'apiserver_admission_webhook_rejection_count{error_type="no_error",name="see.hooks.test",operation="CREATE",rejection_code="400",type="validating"} 1',
      'apiserver_admission_webhook_request_total{code="400",name="see.hooks.test",operation="CREATE",rejected="true",type="validating"} 1',
    ],
  ],
  [
    "broken" as const,
    "Fail",
    [
      'apiserver_admission_webhook_rejection_count{error_type="calling_webhook_error",name="see.hooks.test",operation="CREATE",rejection_code="503",type="validating"} 1',
      'apiserver_admission_webhook_request_total{code="503",name="see.hooks.test",operation="CREATE",rejected="true",type="validating"} 1',
    ],
  ],
  [
    "broken" as const,
    "Ignore",
    [
      'apiserver_admission_webhook_fail_open_count{name="see.hooks.test",type="validating"} 1',
      'apiserver_admission_webhook_request_total{code="503",name="see.hooks.test",operation="CREATE",rejected="false",type="validating"} 1',
    ],
  ],
])(
  "a webhook that answers %s, with failures to %s, is counted",
  async (...[allowed, policy, expected]) => {
    const { create, register, read } = await openBench(allowed);
    await register(policy);
    await create(`${NAMESPACE}/configmaps`, { metadata: { name: "a" } });
    const lines = (await read("/metrics")).split("\n");
    const counted = /^apiserver_admission_webhook_(request_total|rejection_count|fail_open_count)/;
    expect(lines.filter((line) => counted.test(line))).toEqual(expected);
  },
);

test("who is known, who is not, and who is let in are counted", async () => {
  const { clock, send, server, read } = await openBench();
  const path = "/api/v1/namespaces";
  await clock.runUntil(send({ path }));
  await clock.runUntil(send({ path, user: { username: "eve@example.com", groups: [] } }));
  const bad = { authorization: "Bearer nonsense" };
  const unknown = server.door.send({ method: "GET", path, headers: bad, want: "bytes" });
  expect((await clock.runUntil(unknown)).status).toBe(401);
  const lines = (await read("/metrics")).split("\n");
  const counted = /^(authenticat|authorization_attempts)/;
  expect(lines.filter((line) => counted.test(line))).toEqual([
    'authenticated_user_requests{username="admin"} 2',
    'authenticated_user_requests{username="email_id"} 1',
    'authentication_attempts{result="success"} 3',
    'authentication_attempts{result="error"} 1',
    'authorization_attempts_total{result="allowed"} 2',
    'authorization_attempts_total{result="no-opinion"} 1',
  ]);
});
