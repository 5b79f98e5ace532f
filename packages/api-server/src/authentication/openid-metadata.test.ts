import { createPublicKey, generateKeyPairSync, type JsonWebKeyInput } from "node:crypto";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import type { AuthenticationOptions } from "./authentication-options.ts";
import { readTokenKeys } from "./token-keys.ts";

const CONFIGURATION = "/.well-known/openid-configuration";
const KEYS = "/openid/v1/jwks";

async function get(
  authentication: AuthenticationOptions,
  path: string,
  request: { method?: "POST"; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: object; text: string }> {
  await using store = openMemoryStore();
  await using server = await createApiServer({ store, authentication });
  const answer = await server.door.send({
    method: "GET",
    path,
    user: { username: "admin", groups: ["system:masters"] },
    want: "bytes",
    ...request,
    headers: { host: "plane:6443", ...request.headers },
  });
  if (answer.kind !== "bytes") throw new Error(`expected bytes, got ${answer.kind}`);
  const { status, headers, bytes } = answer;
  return { status, headers, text: Buffer.from(bytes).toString() };
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const tokenKeys = readTokenKeys(privateKey.export({ type: "pkcs8", format: "pem" }));

test("discovery says who signs and where the keys are", async () => {
  const { status, headers, text } = await get({ tokenKeys }, CONFIGURATION);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "cache-control": "public, max-age=3600",
    "content-type": "application/json",
  });
  expect(text).toBe(
    '{"issuer":"https://kubernetes.default.svc.cluster.local","jwks_uri":"https://plane:6443/openid/v1/jwks","response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}',
  );
  const jwksUri = "https://keys.example/jwks";
  const given = await get({ issuers: ["https://a.example"], jwksUri }, CONFIGURATION);
  expect(JSON.parse(given.text)).toMatchObject({ issuer: "https://a.example", jwks_uri: jwksUri });
});

test("the keys are public ones, with which others can check a token", async () => {
  const { headers, text } = await get({ tokenKeys }, KEYS);
  expect(headers).toMatchObject({ "content-type": "application/jwk-set+json" });
  const [key] = (JSON.parse(text) as { keys: Record<string, string>[] }).keys;
  expect(Object.keys(key!)).toEqual(["use", "kty", "kid", "alg", "n", "e"]);
  expect(key).toMatchObject({ use: "sig", alg: "RS256", kid: tokenKeys.signer.keyId });
  const read = createPublicKey({ key: key!, format: "jwk" } as unknown as JsonWebKeyInput);
  expect(read.equals(createPublicKey(privateKey))).toBe(true);
});

test("other methods and media types are refused", async () => {
  expect((await get({}, KEYS, { method: "POST" })).status).toBe(405);
  const { status, text } = await get({}, KEYS, { headers: { accept: "application/json" } });
  expect(status).toBe(406);
  expect(JSON.parse(text)).toMatchObject({
    message: "406: Not Acceptable\n\nAvailable representations: application/jwk-set+json",
  });
});

test("an issuer that cannot be asked is not discoverable", async () => {
  for (const issuer of ["http://a.example", "https://a.example?x=1", "me"]) {
    expect((await get({ issuers: [issuer] }, KEYS)).status).toBe(404);
  }
});
