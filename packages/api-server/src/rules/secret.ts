/** Secrets. */
import { setOwnKey } from "@homeostat/object-model";
import type { Secret } from "@homeostat/object-model/core-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const secretRules: readonly NamedTypeRules[] = [
  rulesFor<Secret>("core.v1.Secret", { defaults: { type: "Opaque" }, normalize: storeStringData }),
];

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
