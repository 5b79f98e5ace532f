import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TokenKeys } from "@homeostat/api-server";
import { systemRandom } from "@homeostat/concurrency";
import { expect, onTestFinished, test } from "vitest";
import type { AuthenticationFlags } from "./authentication-flags.ts";
import {
  readAuthentication,
  readClientAuthorities,
  readServingPair,
} from "./plane-authentication.ts";

const FLAGS: AuthenticationFlags = {
  anonymousAuth: true,
  serviceAccountExtendTokenExpiration: true,
  authorizationMode: "RBAC",
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function write(content: string): string {
  const file = join(newFolder(), "file");
  writeFileSync(file, content);
  return file;
}

function newPair(): { privatePem: string; publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }),
    publicPem: publicKey.export({ type: "spki", format: "pem" }),
  };
}

function keysOf(flags: Partial<AuthenticationFlags>, directory?: string): TokenKeys | undefined {
  const place = { directory, random: systemRandom };
  const { tokenKeys } = readAuthentication({ ...FLAGS, ...flags }, place);
  return typeof tokenKeys === "function" ? tokenKeys() : tokenKeys;
}

test("the server's own key is made once, for its owner alone, and found again", () => {
  const directory = join(newFolder(), "pki");
  mkdirSync(directory);
  const made = keysOf({}, directory)!;
  const file = join(directory, "sa.key");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keysOf({}, directory)!.signer.keyId).toBe(made.signer.keyId);
  const kept = readFileSync(file, "utf8");
  writeFileSync(file, "damaged");
  expect(() => keysOf({}, directory)).toThrow(
    `${file} cannot be used: expected a private key in PEM form, got none; restore it from a copy`,
  );
  expect(readFileSync(file, "utf8")).toBe("damaged");
  writeFileSync(file, kept);
  expect(keysOf({}, directory)!.signer.keyId).toBe(made.signer.keyId);
});

test("where nothing is kept, the plane makes its own key", () => {
  expect(keysOf({})).toBeUndefined();
});

test("keys of flags sign and are believed", () => {
  const [signing, other] = [newPair(), newPair()];
  const keys = keysOf({
    serviceAccountSigningKeyFile: write(signing.privatePem),
    serviceAccountKeyFile: [write(other.publicPem)],
  })!;
  expect(keys.verifiers).toHaveLength(2);
  expect(keys.verifiers.some(({ keyId }) => keyId === keys.signer.keyId)).toBe(true);
});

test("tokens, issuers and audiences of flags are passed on", () => {
  const place = { directory: undefined, random: systemRandom };
  const flags = {
    ...FLAGS,
    anonymousAuth: false,
    tokenAuthFile: write("t,alice,1\n"),
    serviceAccountIssuer: ["https://a.example"],
    apiAudiences: ["x"],
    serviceAccountMaxTokenExpiration: 7200,
  };
  const options = readAuthentication(flags, place);
  expect(options).toMatchObject({
    anonymous: false,
    issuers: ["https://a.example"],
    audiences: ["x"],
    maxTokenSeconds: 7200,
  });
  expect(options.staticTokens?.get("t")).toEqual({ username: "alice", uid: "1" });
});

test("a file that cannot be used is told with its flag", () => {
  const bad = write("t,alice\n");
  const refused = (flags: Partial<AuthenticationFlags>) => () =>
    readAuthentication({ ...FLAGS, ...flags }, { directory: undefined, random: systemRandom });
  expect(refused({ tokenAuthFile: bad })).toThrow(
    `--token-auth-file ${bad}: line 1 must have at least 3 columns`,
  );
  expect(refused({ tokenAuthFile: "/nowhere" })).toThrow("--token-auth-file /nowhere: ENOENT");
  expect(refused({ serviceAccountKeyFile: [bad] })).toThrow(
    `--service-account-key-file ${bad}: expected a key or certificate in PEM form, got none`,
  );
  expect(refused({ serviceAccountSigningKeyFile: bad })).toThrow(
    `--service-account-signing-key-file ${bad}: expected a private key in PEM form, got none`,
  );
  expect(() => readClientAuthorities({ ...FLAGS, clientCaFile: bad })).toThrow(
    `--client-ca-file ${bad}: expected certificates in PEM form, got none`,
  );
  expect(() => readServingPair({ ...FLAGS, tlsCertFile: bad })).toThrow(
    "--tls-cert-file and --tls-private-key-file go together; give both",
  );
});
