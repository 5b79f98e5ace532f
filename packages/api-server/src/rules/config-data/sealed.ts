/** What config maps and secrets share: at most 1 MiB, and sealed for ever with `immutable: true`. */
import { equalJson } from "@homeostat/object-model";
import type { ChangeRule } from "@homeostat/schema";

export const MAX_DATA_BYTES: number = 1024 * 1024;

interface Sealable {
  readonly immutable?: boolean;
  readonly data?: { readonly [key: string]: string };
  readonly binaryData?: { readonly [key: string]: string };
}

const SEALED = "field is immutable when `immutable` is set";

export function sealed(...members: readonly ("binaryData" | "data")[]): ChangeRule<Sealable> {
  return ({ value, old }, place) => {
    if (old?.immutable !== true) return;
    if (value?.immutable !== true) place.child("immutable").forbidden(SEALED);
    for (const member of members) {
      // Here no map and an empty one are not the same.
      if (equalJson(value?.[member] ?? null, old[member] ?? null)) continue;
      place.child(member).forbidden(SEALED);
    }
  };
}

/** Bytes that a base64 text stands for. */
export function decodedLength(text: string): number {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  return (text.length / 4) * 3 - padding;
}
