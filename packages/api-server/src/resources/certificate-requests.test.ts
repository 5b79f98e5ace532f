import { seededRandom } from "@homeostat/concurrency";
import type { CertificateSigningRequest } from "@homeostat/object-model/certificates-v1";
import { expect, test } from "vitest";
import type { WriteContext } from "../registry/strategy.ts";
import { certificateSigningRequests } from "./certificate-requests.ts";

const context: WriteContext = {
  operation: "update",
  subresource: "",
  dryRun: false,
  now: 0,
  random: seededRandom(1),
  user: { username: "jane", groups: ["devs"] },
  reader: {
    get: () => undefined,
    list: () => [],
    isClaimed: () => false,
    namespacePhase: () => "Active",
  },
  breathe: async () => undefined,
  warn: () => undefined,
  settings: { serviceClusterIpRange: "10.0.0.0/24", serviceNodePortRange: [30000, 32767] },
};

const { status, approval } = certificateSigningRequests.subresources!;
const NOW = "1970-01-01T00:00:00Z";

function request(state: CertificateSigningRequest["status"] = {}): CertificateSigningRequest {
  return {
    metadata: { name: "r" },
    spec: { request: "eA==", signerName: "a.b/c", usages: ["client auth"] },
    status: state,
  };
}

const CERTIFICATE = Buffer.from(
  `-----BEGIN CERTIFICATE-----
MIIBbDCCAROgAwIBAgIUKC2FD5SK2atZoLd1IrLetKAwRSMwCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBYTAeFw0yNjExMTYwNDAzMzNaFw0zNjExMTMwNDAzMzNaMAwx
CjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASuBpuY1d/dgj86
Q/yLq4s7nWtiQP07qApG7YKmCGbONEqqPKhmPJTISS1vD3NLiAN4976LXcUsytLb
7AQrnhi+o1MwUTAdBgNVHQ4EFgQUYBpeMLr7bhjy9JG9XnlM2B4Kc78wHwYDVR0j
BBgwFoAUYBpeMLr7bhjy9JG9XnlM2B4Kc78wDwYDVR0TAQH/BAUwAwEB/zAKBggq
hkjOPQQDAgNHADBEAiAug28K1qPAfIgZfFVp9cQuVhiwqQIEv0v0D6wvFEffdAIg
LC264mp4uXk9vIF45Wy8FWYAUE+fhIv2Vx6OMprl/XM=
-----END CERTIFICATE-----
`,
).toString("base64");

test("who asks is written by the server", () => {
  const created = request();
  created.spec = { ...created.spec, username: "root", uid: "1", extra: { a: ["b"] } };
  certificateSigningRequests.prepareForCreate!(created, context);
  expect(created.spec).toEqual({
    request: "eA==",
    signerName: "a.b/c",
    usages: ["client auth"],
    username: "jane",
    groups: ["devs"],
  });
});

test("approval sets conditions with the time, and no certificate", () => {
  const approved = request({
    conditions: [{ type: "Approved", status: "True" }],
    certificate: "eA==",
  });
  approved.spec = { ...approved.spec, signerName: "other" };
  approval!.prepareForUpdate(approved, request(), context);
  expect(approved.spec.signerName).toBe("a.b/c");
  expect(approved.status).toEqual({
    conditions: [
      { type: "Approved", status: "True", lastUpdateTime: NOW, lastTransitionTime: NOW },
    ],
  });
  expect(approval!.validateUpdate!(approved, request(), context)).toEqual([]);
});

test("a request cannot be approved and denied", () => {
  const both = request({
    conditions: [
      { type: "Approved", status: "True" },
      { type: "Denied", status: "True" },
    ],
  });
  expect(approval!.validateUpdate!(both, request(), context).map(String)).toEqual([
    'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
  ]);
});

test("a decision is never taken back", () => {
  const old = request({ conditions: [{ type: "Approved", status: "True" }] });
  expect(approval!.validateUpdate!(request(), old, context).map(String)).toEqual([
    'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
  ]);
});

test("status issues the certificate once, and decides nothing", () => {
  const issued = request({
    certificate: CERTIFICATE,
    conditions: [{ type: "Approved", status: "True" }],
  });
  status!.prepareForUpdate(issued, request(), context);
  expect(status!.validateUpdate!(issued, request(), context).map(String)).toEqual([
    'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
  ]);
  const first = request({ certificate: CERTIFICATE });
  expect(status!.validateUpdate!(first, request(), context)).toEqual([]);
  expect(status!.validateUpdate!(request({ certificate: "" }), first, context).map(String)).toEqual(
    ["status.certificate: Forbidden: updates may not modify existing certificate content"],
  );
});
