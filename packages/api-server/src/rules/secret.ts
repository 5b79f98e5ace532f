/** Secrets. */
import { decodeJson, FieldError, JsonError, ownKey, setOwnKey } from "@homeostat/object-model";
import type { Secret } from "@homeostat/object-model/core-v1";
import type { ChangeRule, Place, Rule } from "@homeostat/schema";
import { configKey } from "./checks/config-keys.ts";
import { immutableValue } from "./checks/immutable-parts.ts";
import { decodedLength, MAX_DATA_BYTES, sealed } from "./config-data/sealed.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";

export const secretRules: readonly NamedTypeRules[] = [
  rulesFor<Secret>("core.v1.Secret", {
    defaults: { type: "Opaque" },
    normalize: storeStringData,
    validate: (secret, place) => contents(secret, place),
    validateChange: ({ value }, place) => contents(value, place),
  }),
];

export const sealedSecret: ChangeRule<Secret, RuleContext> = (change, place) => {
  const { value, old } = change;
  const types = { value: value?.type ?? "", old: old?.type ?? "" };
  immutableValue(types, place.child("type"));
  sealed("data")(change, place);
};

/** `stringData` is only for writing: it ends in `data`, over what is there, and disappears. */
function storeStringData(secret: Unchecked<Secret>): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  delete secret.stringData;
  const texts = Object.entries(stringData);
  if (texts.length === 0) return;
  secret.data ??= {};
  for (const [key, text] of texts)
    setOwnKey(secret.data, key, Buffer.from(text).toString("base64"));
}

const contents: Rule<Secret, RuleContext> = (secret, place) => {
  const at = place.child("data");
  let size = 0;
  for (const [key, value] of Object.entries(secret?.data ?? {})) {
    configKey(key, at.key(key));
    size += decodedLength(value);
  }
  if (size > MAX_DATA_BYTES && at.path !== undefined) {
    at.add(FieldError.tooLong(at.path, MAX_DATA_BYTES));
  }
  requiredByType(secret, place);
};

const SERVICE_ACCOUNT_NAME = "kubernetes.io/service-account.name";

/** What a type of Secret must contain. */
const requiredByType: Rule<Secret, RuleContext> = (secret, place) => {
  const { type, data, metadata } = secret ?? {};
  const at = place.child("data");
  const has = (key: string): boolean => ownKey(data, key) !== undefined;
  switch (type) {
    case "kubernetes.io/service-account-token":
      if (ownKey(metadata?.annotations, SERVICE_ACCOUNT_NAME)) return;
      return place.child("metadata").child("annotations").key(SERVICE_ACCOUNT_NAME).required();
    case "kubernetes.io/dockercfg":
      return jsonObject(ownKey(data, ".dockercfg"), at.key(".dockercfg"));
    case "kubernetes.io/dockerconfigjson":
      return jsonObject(ownKey(data, ".dockerconfigjson"), at.key(".dockerconfigjson"));
    case "kubernetes.io/basic-auth":
      if (has("username") || has("password")) return;
      at.key("username").required();
      return at.key("password").required();
    case "kubernetes.io/ssh-auth":
      if (!ownKey(data, "ssh-privatekey")) at.key("ssh-privatekey").required();
      return;
    case "kubernetes.io/tls":
      for (const key of ["tls.crt", "tls.key"]) if (!has(key)) at.key(key).required();
      return;
    default:
      return;
  }
};

/** Base64 of a JSON object. What is wrong is said as Go says it, and the text is not shown. */
function jsonObject(base64: string | undefined, place: Place): void {
  if (base64 === undefined) return place.required();
  const problem = jsonProblem(Buffer.from(base64, "base64"));
  if (problem !== undefined) place.invalid("<secret contents redacted>", problem);
}

function jsonProblem(bytes: Uint8Array): string | undefined {
  let value: unknown;
  try {
    value = decodeJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) return error.reason;
    throw error;
  }
  if (value === null || (typeof value === "object" && !Array.isArray(value))) return undefined;
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}
