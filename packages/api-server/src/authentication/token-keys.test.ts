import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { seededRandom } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { makeTokenKeys, readTokenKeys, readTokenVerifiers, TokenKeyError } from "./token-keys.ts";

const bytes = Buffer.from("header.claims");

function pem(key: KeyObject): string {
  return key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" });
}

test.each([
  ["RS256", () => generateKeyPairSync("rsa", { modulusLength: 2048 }), 256],
  ["ES256", () => generateKeyPairSync("ec", { namedCurve: "P-256" }), 64],
  ["ES384", () => generateKeyPairSync("ec", { namedCurve: "P-384" }), 96],
  ["ES512", () => generateKeyPairSync("ec", { namedCurve: "P-521" }), 132],
] as const)(
  "%s: what a key signs its public key believes, and nothing else",
  (name, make, length) => {
    const pair = make();
    const { signer, verifiers } = readTokenKeys(pem(pair.privateKey));
    const signature = signer.sign(bytes);
    expect(signer.algorithm).toBe(name);
    expect(signature).toHaveLength(length);
    const [published] = readTokenVerifiers(pem(pair.publicKey));
    expect(published!.keyId).toBe(signer.keyId);
    expect(verifiers).toHaveLength(1);
    for (const verifier of [verifiers[0]!, published!]) {
      expect(verifier.verify(bytes, signature)).toBe(true);
      expect(verifier.verify(Buffer.from("header.other"), signature)).toBe(false);
      expect(verifier.verify(bytes, signature.subarray(1))).toBe(false);
      expect(verifier.verify(bytes, new Uint8Array(length))).toBe(false);
      expect(Object.keys(verifier.publicKey)).not.toContain("d");
    }
  },
);

test("the same chance makes the same key, and another one another", () => {
  const [a, b, c] = [7, 7, 8].map((seed) => makeTokenKeys(seededRandom(seed)).signer.keyId);
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});

test("several keys may be in one text, and the signing key is believed once", () => {
  const pairs = [1, 2].map(() => generateKeyPairSync("ec", { namedCurve: "P-256" }));
  const text = pairs.map(({ publicKey }) => `about it\n${pem(publicKey)}`).join("\n");
  const believed = readTokenVerifiers(text);
  expect(believed).toHaveLength(2);
  const { signer, verifiers } = readTokenKeys(pem(pairs[1]!.privateKey), believed);
  expect(verifiers.map(({ keyId }) => keyId)).toEqual(believed.map(({ keyId }) => keyId));
  expect(signer.keyId).toBe(believed[1]!.keyId);
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  expect(readTokenKeys(pem(other.privateKey), believed).verifiers).toHaveLength(3);
});

test("what cannot sign tokens is refused with what it is", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  expect(() => readTokenKeys(pem(privateKey))).toThrow(
    "expected an RSA key or one on the curves P-256, P-384 or P-521, got ed25519",
  );
  expect(() => readTokenKeys(pem(publicKey))).toThrow(
    "expected a private key in PEM form, got none",
  );
  expect(() => readTokenVerifiers("hello")).toThrow(TokenKeyError);
  const broken = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----";
  expect(() => readTokenVerifiers(broken)).toThrow("the key cannot be read: ");
});
