import { expect, test } from "vitest";
import { type Answered, type AskedPlane, openPlane } from "./fixtures/asked-plane.ts";

const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const SUBRESOURCES = ["certificatesigningrequests/approval", "certificatesigningrequests/status"];
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const eve = { user: { username: "eve", groups: ["system:authenticated"] } };
/** Of a key that nobody has any more. */
const REQUEST =
  "MIGcMFACAQAwHTENMAsGA1UECgwEZGV2czEMMAoGA1UEAwwDZXZlMCowBQYDK2VwAyEAtacMyoZTgtdWDOxPT/LAcFtnji2renpGr6OVHRTo7lmgADAFBgMrZXADQQAlb/hoeRBnn/bkbnz+W2bwJ22fOqLXamTAQBbmeLBdP/AkqFOvcIaVrENcDlYmWJc2RUk+RATKT+4Z+YlDOgoL";

/** Eve may write everything of requests, and this for some signers. */
async function openFor(verb: string, ...resourceNames: string[]): Promise<AskedPlane> {
  const plane = await openPlane();
  const apiGroups = ["certificates.k8s.io"];
  await plane.ask("POST", `${RBAC}/clusterroles`, {
    metadata: { name: "r" },
    rules: [
      { verbs: ["*"], apiGroups, resources: SUBRESOURCES },
      { verbs: [verb], apiGroups, resources: ["signers"], resourceNames },
    ],
  });
  await plane.ask("POST", `${RBAC}/clusterrolebindings`, {
    metadata: { name: "r" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "eve" }],
  });
  return plane;
}

/** Writes a condition to a subresource of a new request for a signer. */
async function conclude(
  { ask }: AskedPlane,
  signerName: string,
  [subresource, type]: readonly [string, string],
): Promise<Answered> {
  const name = signerName.replace("/", ".");
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${REQUEST}\n-----END CERTIFICATE REQUEST-----\n`;
  const request = Buffer.from(pem).toString("base64");
  const spec = { request, signerName, usages: ["client auth"] };
  const made = await ask("POST", REQUESTS, { metadata: { name }, spec });
  const status = { conditions: [{ type, status: "True", reason: "r" }] };
  return ask("PUT", `${REQUESTS}/${name}/${subresource}`, { ...made, status }, eve);
}

test.for([
  ["approve", "approval", "Approved"],
  ["sign", "status", "Failed"],
] as const)("who may %s for a signer may not for others", async ([verb, subresource, type]) => {
  await using plane = await openFor(verb, "example.com/one", "example.org/*");
  const how = [subresource, type] as const;
  expect((await conclude(plane, "example.com/one", how)).code).toBeUndefined();
  expect((await conclude(plane, "example.org/any", how)).code).toBeUndefined();
  expect(await conclude(plane, "example.com/two", how)).toMatchObject({
    code: 403,
    message: `certificatesigningrequests.certificates.k8s.io "example.com.two" is forbidden: user not permitted to ${verb} requests with signerName "example.com/two"`,
  });
});

test("a status without a certificate or conditions needs no right to sign", async () => {
  await using plane = await openFor("sign", "example.com/one");
  await conclude(plane, "example.com/two", ["status", "Failed"]);
  const path = `${REQUESTS}/example.com.two/status`;
  const labelled = { metadata: { labels: { a: "b" } } };
  expect((await plane.ask("PATCH", path, labelled, eve)).code).toBeUndefined();
});
