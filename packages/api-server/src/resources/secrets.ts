/** Secrets: `stringData` is only a way to write `data`. What they have to hold is in `../rules/`. */

import { setOwnKey } from "@homeostat/object-model";
import type { Secret } from "@homeostat/object-model/core-v1";
import type { Strategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { sealedSecret } from "../rules/secret.ts";
import { tlsWarnings } from "./tls-warnings.ts";

export const secrets: Strategy<Secret> = {
  selectableFields: { type: (secret) => secret.type ?? "" },
  prepareForCreate: moveStringData,
  prepareForUpdate(secret, old) {
    moveStringData(secret);
    if (!secret.type && old.type !== undefined) secret.type = old.type;
  },
  validateFixed: changeCheckOf(sealedSecret),
  warnings: tlsWarnings,
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
