/**
 * ConfigMaps and Secrets: maps whose keys become file names, at most 1 MiB together, and which can
 * be sealed for ever with `immutable: true`. `stringData` of a Secret is only a way to write `data`.
 */

import { FieldError, FieldPath, ownKey, setOwnKey } from "@homeostat/object-model";
import type { ConfigMap, Secret } from "@homeostat/object-model/core-v1";
import type { Strategy } from "../registry/strategy.ts";
import { checkImmutable } from "./field-checks.ts";
import { sameForm } from "./internal-form.ts";

const MAX_SIZE = 1024 * 1024;
const MAX_KEY = 253;
const KEY = /^[-._a-zA-Z0-9]+$/;
/** How kube-apiserver prints the path of the whole object. */
const WHOLE = FieldPath.of("[]");
const SEALED = "field is immutable when `immutable` is set";

export const configMaps: Strategy<ConfigMap> = {
  validate: checkConfigMap,
  validateUpdate: (configMap, old) => [
    ...checkSealed(configMap, old, ["data", "binaryData"]),
    ...checkConfigMap(configMap),
  ],
};

export const secrets: Strategy<Secret> = {
  selectableFields: { type: (secret) => secret.type ?? "" },
  prepareForCreate: moveStringData,
  prepareForUpdate(secret, old) {
    moveStringData(secret);
    if (!secret.type && old.type !== undefined) secret.type = old.type;
  },
  validate: checkSecret,
  validateUpdate: (secret, old) => [
    ...checkImmutable({
      path: FieldPath.of("type"),
      value: secret.type ?? "",
      old: old.type ?? "",
    }),
    ...checkSealed(secret, old, ["data"]),
    ...checkSecret(secret),
  ],
};

function moveStringData(secret: Secret): void {
  const { stringData } = secret;
  delete secret.stringData;
  if (stringData === undefined || Object.keys(stringData).length === 0) return;
  const data = { ...secret.data };
  for (const [key, text] of Object.entries(stringData)) setOwnKey(data, key, base64(text));
  secret.data = data;
}

const utf8 = new TextEncoder();

function base64(text: string): string {
  return Buffer.from(utf8.encode(text)).toString("base64");
}

interface Sealable {
  readonly immutable?: boolean;
  readonly data?: { readonly [key: string]: string };
  readonly binaryData?: { readonly [key: string]: string };
}

function checkSealed(
  object: Sealable,
  old: Sealable,
  members: readonly ("binaryData" | "data")[],
): FieldError[] {
  if (old.immutable !== true) return [];
  const changed: readonly string[] = [
    ...(object.immutable === true ? [] : ["immutable"]),
    ...members.filter((member) => !sameForm(object[member] ?? null, old[member] ?? null)),
  ];
  return changed.map((member) => FieldError.forbidden(FieldPath.of(member), SEALED));
}

function checkConfigMap({ data = {}, binaryData = {} }: Readonly<ConfigMap>): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    const path = FieldPath.of("data").key(key);
    errors.push(...checkKey(key, path));
    if (ownKey(binaryData, key) !== undefined) {
      errors.push(FieldError.invalid(path, key, "duplicate of key present in binaryData"));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...checkKey(key, FieldPath.of("binaryData").key(key)));
    size += decodedLength(value);
  }
  if (size > MAX_SIZE) errors.push(FieldError.tooLong(WHOLE, MAX_SIZE));
  return errors;
}

function checkSecret(secret: Readonly<Secret>): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(secret.data ?? {})) {
    errors.push(...checkKey(key, FieldPath.of("data").key(key)));
    size += decodedLength(value);
  }
  if (size > MAX_SIZE) errors.push(FieldError.tooLong(FieldPath.of("data"), MAX_SIZE));
  return [...errors, ...checkSecretType(secret)];
}

const SERVICE_ACCOUNT_NAME = "kubernetes.io/service-account.name";

/** What a type of Secret must contain. */
function checkSecretType({ type, data, metadata }: Readonly<Secret>): FieldError[] {
  const has = (key: string): boolean => ownKey(data, key) !== undefined;
  const missing = (...keys: string[]): FieldError[] =>
    keys.map((key) => FieldError.required(FieldPath.of("data").key(key)));
  switch (type) {
    case "kubernetes.io/service-account-token": {
      if (ownKey(metadata.annotations, SERVICE_ACCOUNT_NAME)) return [];
      const path = FieldPath.of("metadata", "annotations").key(SERVICE_ACCOUNT_NAME);
      return [FieldError.required(path)];
    }
    case "kubernetes.io/dockercfg":
      return has(".dockercfg") ? [] : missing(".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return has(".dockerconfigjson") ? [] : missing(".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return has("username") || has("password") ? [] : missing("username", "password");
    case "kubernetes.io/ssh-auth":
      return ownKey(data, "ssh-privatekey") ? [] : missing("ssh-privatekey");
    case "kubernetes.io/tls":
      return ["tls.crt", "tls.key"].filter((key) => !has(key)).flatMap((key) => missing(key));
    default:
      return [];
  }
}

function checkKey(key: string, path: FieldPath): FieldError[] {
  const problems: string[] = [];
  if (Buffer.byteLength(key) > MAX_KEY) {
    problems.push(`must be no more than ${MAX_KEY} characters`);
  }
  if (!KEY.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems.map((problem) => FieldError.invalid(path, key, problem));
}

/** Bytes that a base64 text stands for. */
function decodedLength(text: string): number {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  return (text.length / 4) * 3 - padding;
}
