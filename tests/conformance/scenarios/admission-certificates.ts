/** Who may approve and sign, and who nobody may become by a certificate. */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import {
  as,
  del,
  edited,
  patch,
  post,
  put,
  type RequestOptions,
  type RequestStep,
  type Scenario,
  type Step,
  scenario,
  settle,
} from "../scenario.ts";

/** Requests of a key that nobody has any more, by what they say of their subject. */
const requests = {
  master: [
    "MIGmMFoCAQAwJzEXMBUGA1UECgwOc3lzdGVtOm1hc3RlcnMxDDAKBgNVBAMMA2V2",
    "ZTAqMAUGAytlcAMhALWnDMqGU4LXVgzsT0/ywHBbZ44tq3p6Rq+jlR0U6O5ZoAAw",
    "BQYDK2VwA0EAel3igHUfpnTemO2dtm84+jBxnRzymfrheU8rxeaciUwi0EecA+Pi",
    "O3qb5jqedW90XFLIlHGYbNWb/feldiPjBA==",
  ],
  developer: [
    "MIGcMFACAQAwHTENMAsGA1UECgwEZGV2czEMMAoGA1UEAwwDZXZlMCowBQYDK2Vw",
    "AyEAtacMyoZTgtdWDOxPT/LAcFtnji2renpGr6OVHRTo7lmgADAFBgMrZXADQQAl",
    "b/hoeRBnn/bkbnz+W2bwJ22fOqLXamTAQBbmeLBdP/AkqFOvcIaVrENcDlYmWJc2",
    "RUk+RATKT+4Z+YlDOgoL",
  ],
  both: [
    "MIG1MGkCAQAwNjENMAsGA1UECgwEZGV2czEXMBUGA1UECgwOc3lzdGVtOm1hc3Rl",
    "cnMxDDAKBgNVBAMMA2V2ZTAqMAUGAytlcAMhALWnDMqGU4LXVgzsT0/ywHBbZ44t",
    "q3p6Rq+jlR0U6O5ZoAAwBQYDK2VwA0EAcOtwXye9Z/tDVdxjHUwhEZMDuw6D+d7G",
    "WgGRoDSgPwn/nrfiOhhTOpkuSUIrSUFAMwz+QQsnkEAXjerFOy+EAA==",
  ],
};

const pemOf = (lines: readonly string[]): string =>
  Buffer.from(
    `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join("\n")}\n-----END CERTIFICATE REQUEST-----\n`,
  ).toString("base64");

const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";
const ask = (
  name: string,
  whose: keyof typeof requests,
  [signerName, options]: readonly [string, RequestOptions?] = [CLIENT_SIGNER],
): RequestStep =>
  post(
    "certificatesigningrequests",
    {
      metadata: { name: `\${ns}-${name}` },
      spec: { request: pemOf(requests[whose]), signerName, usages: ["client auth"] },
    },
    options,
  );

const eve = { headers: { "impersonate-user": "${ns}-eve" } };
const GROUP = "rbac.authorization.k8s.io";

/** Eve gets a ClusterRole with these rules. */
const given = (...rules: JsonValue[]): Step[] => [
  post("clusterroles", { metadata: { name: "${ns}-held" }, rules }),
  post("clusterrolebindings", {
    metadata: { name: "${ns}-held" },
    roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: "${ns}-held" },
    subjects: [{ kind: "User", apiGroup: GROUP, name: "${ns}-eve" }],
  }),
  settle(),
];
const ofRequests = {
  verbs: ["*"],
  apiGroups: ["certificates.k8s.io"],
  resources: [
    "certificatesigningrequests",
    "certificatesigningrequests/approval",
    "certificatesigningrequests/status",
  ],
};
const forSigner = (verb: string, ...resourceNames: string[]): JsonObject => ({
  verbs: [verb],
  apiGroups: ["certificates.k8s.io"],
  resources: ["signers"],
  resourceNames,
});
const condition = (type: string): JsonObject => ({
  status: { conditions: [{ type, status: "True", reason: "Because", message: "of it" }] },
});
const approve = (step: string): RequestStep =>
  put(
    `certificatesigningrequests/\${ns}-${step}/approval`,
    edited(step, condition("Approved")),
    eve,
  );
const fail = (step: string): RequestStep =>
  put(`certificatesigningrequests/\${ns}-${step}/status`, edited(step, condition("Failed")), eve);

export const admissionCertificates: readonly Scenario[] = [
  scenario(
    "nobody becomes a master by a certificate",
    ask("a", "master"),
    ask("b", "both"),
    ask("c", "developer"),
    ask("d", "master", ["example.com/own"]),
    ask("e", "master", [CLIENT_SIGNER, { query: { dryRun: "All" } }]),
    post("certificatesigningrequests", {
      metadata: { name: "${ns}-f" },
      spec: { request: "bm8=", signerName: CLIENT_SIGNER, usages: ["client auth"] },
    }),
    patch("certificatesigningrequests/${ns}-c", ["merge", { metadata: { labels: { a: "b" } } }]),
    del("certificatesigningrequests/${ns}-c"),
    del("certificatesigningrequests/${ns}-d"),
  ),
  scenario(
    "approving needs the right for the signer",
    given(ofRequests, forSigner("approve", "example.com/one", "example.org/*")),
    as("a", ask("a", "developer", ["example.com/one", eve])),
    as("b", ask("b", "developer", ["example.com/two", eve])),
    as("c", ask("c", "developer", ["example.org/any", eve])),
    approve("a"),
    approve("b"),
    approve("c"),
    patch("certificatesigningrequests/${ns}-b/approval", ["merge", {}], eve),
  ),
  scenario(
    "signing needs the right for the signer",
    given(ofRequests, forSigner("sign", "example.com/one")),
    as("a", ask("a", "developer", ["example.com/one", eve])),
    as("b", ask("b", "developer", ["example.com/two", eve])),
    fail("a"),
    fail("b"),
    patch("certificatesigningrequests/${ns}-b/status", ["merge", {}], eve),
    patch(
      "certificatesigningrequests/${ns}-b/status",
      ["merge", { metadata: { labels: { a: "b" } } }],
      eve,
    ),
  ),
];
