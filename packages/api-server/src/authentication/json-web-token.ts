import { ownKey } from "@homeostat/object-model";

/** A token in its compact form, taken apart and not believed. */
export interface UnverifiedToken {
  readonly algorithm: string;
  /** "" for none. */
  readonly keyId: string;
  readonly claims: Claims;
  /** What the signature is over. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** The claims of a token by name. Their types are whatever the sender wrote. */
export type Claims = Readonly<Record<string, unknown>>;

const BASE64_URL = /^[A-Za-z0-9_-]*$/;

/** Undefined for what is no such token. */
export function parseToken(token: string): UnverifiedToken | undefined {
  const parts = token.split(".");
  if (parts.length !== 3 || !parts.every((part) => BASE64_URL.test(part))) return undefined;
  const [head, body, signature] = parts as [string, string, string];
  const header = parseObject(head);
  const claims = parseObject(body);
  // Whoever says "crit" wants something understood that is not understood here.
  if (header === undefined || claims === undefined || Object.hasOwn(header, "crit")) {
    return undefined;
  }
  return {
    algorithm: textOf(header, "alg"),
    keyId: textOf(header, "kid"),
    claims,
    signed: `${head}.${body}`,
    signature: Buffer.from(signature, "base64url"),
  };
}

/** A token as clients get it. `sign` gets the bytes to sign. */
export function printToken(
  header: { readonly alg: string; readonly kid: string },
  claims: Claims,
  sign: (bytes: Uint8Array) => Uint8Array,
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${Buffer.from(sign(Buffer.from(signed))).toString("base64url")}`;
}

/** A claim that is a text, "" for any other. */
export function textOf(claims: Claims, name: string): string {
  const value = ownKey(claims, name);
  return typeof value === "string" ? value : "";
}

/** A claim that is a number of seconds, undefined for any other. */
export function secondsOf(claims: Claims, name: string): number | undefined {
  const value = ownKey(claims, name);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A claim that is an object; undefined for any other. */
export function objectOf(claims: Claims, name: string): Claims | undefined {
  const value = ownKey(claims, name);
  return isObject(value) ? value : undefined;
}

/** `aud`: one text, or several. */
export function audiencesOf(claims: Claims): readonly string[] {
  const value = ownKey(claims, "aud");
  return [value].flat().filter((each) => typeof each === "string");
}

function parseObject(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
