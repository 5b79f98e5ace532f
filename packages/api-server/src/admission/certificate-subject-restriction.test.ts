import { expect, test } from "vitest";
import { type Answered, openPlane } from "./fixtures/asked-plane.ts";

const SIGNER = "kubernetes.io/kube-apiserver-client";
/** Of a key that nobody has any more, for O=devs, O=system:masters, CN=eve. */
const MASTERS =
  "MIG1MGkCAQAwNjENMAsGA1UECgwEZGV2czEXMBUGA1UECgwOc3lzdGVtOm1hc3RlcnMxDDAKBgNVBAMMA2V2ZTAqMAUGAytlcAMhALWnDMqGU4LXVgzsT0/ywHBbZ44tq3p6Rq+jlR0U6O5ZoAAwBQYDK2VwA0EAcOtwXye9Z/tDVdxjHUwhEZMDuw6D+d7GWgGRoDSgPwn/nrfiOhhTOpkuSUIrSUFAMwz+QQsnkEAXjerFOy+EAA==";
/** For O=devs, CN=eve. */
const DEVS =
  "MIGcMFACAQAwHTENMAsGA1UECgwEZGV2czEMMAoGA1UEAwwDZXZlMCowBQYDK2VwAyEAtacMyoZTgtdWDOxPT/LAcFtnji2renpGr6OVHRTo7lmgADAFBgMrZXADQQAlb/hoeRBnn/bkbnz+W2bwJ22fOqLXamTAQBbmeLBdP/AkqFOvcIaVrENcDlYmWJc2RUk+RATKT+4Z+YlDOgoL";

async function ask(request: string, signerName: string): Promise<Answered> {
  await using plane = await openPlane();
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${request}\n-----END CERTIFICATE REQUEST-----\n`;
  return plane.ask("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", {
    metadata: { name: "a" },
    spec: { request: Buffer.from(pem).toString("base64"), signerName, usages: ["client auth"] },
  });
}

test("nobody becomes a master by a certificate for clients", async () => {
  expect(await ask(MASTERS, SIGNER)).toMatchObject({
    code: 403,
    message: `certificatesigningrequests.certificates.k8s.io "a" is forbidden: use of ${SIGNER} signer with system:masters group is not allowed`,
  });
});

test("other groups, and other signers, are nobody's concern here", async () => {
  expect((await ask(DEVS, SIGNER)).code).toBeUndefined();
  expect((await ask(MASTERS, "example.com/own")).code).toBeUndefined();
});
