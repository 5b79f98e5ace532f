import type { ObjectSchema } from "@homeostat/object-model";
import { duplicateFieldMessage } from "@homeostat/object-model";
import type { StrictFinding } from "./strict-scan.ts";
import { scanOperations, scanStrictly } from "./strict-scan.ts";

/** As many as kube-apiserver lists, of both sorts together. */
const MAX_ERRORS = 100;

/** The operations of a JSON patch, and the text they were read from. */
export interface PatchText {
  readonly fields: ReadonlySet<string>;
  readonly text: string | Uint8Array;
}

export interface StrictDecoding {
  /** From readObject. */
  readonly unknownFields: readonly string[];
  /** From decodeJson. */
  readonly duplicates: readonly string[];
  /**
   * The body that was read. Without it unknown fields come before duplicate ones, and duplicates
   * are listed even below an unknown field and in values of free content, where kube-apiserver does
   * not look.
   */
  readonly body?: { readonly schema: ObjectSchema; readonly text: string | Uint8Array };
}

/**
 * What strict field validation refuses and the lenient one warns of, a sentence each: `unknown field
 * "spec.foo"`, `duplicate field "spec.replicas"`. As kube-apiserver, in the order of the body, none
 * twice, 100 at most.
 */
export function strictDecodingErrors(decoding: StrictDecoding): string[] {
  return sentencesOf(findingsOf(decoding));
}

/** The same of a JSON patch. */
export function strictPatchErrors({ text, fields }: PatchText): string[] {
  return sentencesOf(scanOperations(text, fields));
}

function sentencesOf(findings: Iterable<StrictFinding>): string[] {
  const sentences = new Set<string>();
  for (const finding of findings) {
    sentences.add(sentenceOf(finding));
    if (sentences.size === MAX_ERRORS) break;
  }
  return [...sentences];
}

function* findingsOf(decoding: StrictDecoding): Iterable<StrictFinding> {
  const { unknownFields, duplicates, body } = decoding;
  if (body !== undefined && duplicates.length > 0) {
    yield* scanStrictly(body.schema, body.text);
    return;
  }
  for (const path of unknownFields) yield { what: "unknown", path };
  for (const path of duplicates) yield { what: "duplicate", path };
}

function sentenceOf({ what, path }: StrictFinding): string {
  return duplicateFieldMessage(path).replace("duplicate", what);
}
