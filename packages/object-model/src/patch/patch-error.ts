/**
 * Why a patch was refused. Every patch function throws PatchError and nothing else for bad input;
 * the texts are those of kube-apiserver wherever it has one for the situation.
 */
export class PatchError extends Error {
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.name = "PatchError";
    this.code = code;
  }

  /** The status kube-apiserver answers with, 500 for client mistakes it does not recognise included. */
  get httpStatus(): number {
    return HTTP_STATUS[this.code];
  }
}

export type PatchErrorCode =
  /** The patch document does not have the form its type demands. */
  | "patch-malformed"
  | "patch-too-many-operations"
  | "patch-copy-too-large"
  | "patch-too-deep"
  /** The patch makes lists be rebuilt or shifted out of proportion to its size. */
  | "patch-too-much-work"
  /** A JSON Patch operation is unknown or lacks a member. */
  | "patch-operation-invalid"
  | "patch-path-missing"
  | "patch-index-invalid"
  | "patch-test-failed"
  /** `$patch` says something other than replace or delete. */
  | "patch-directive-unknown"
  /** A list item lacks the declared merge key, or the list declares none. */
  | "patch-merge-key-missing"
  /** `$setElementOrder` contradicts the order of the list in the patch. */
  | "patch-order-mismatch"
  | "patch-list-of-lists"
  /** A value is of another type than its place or its neighbours demand. */
  | "patch-type-mismatch"
  /** The schema does not know the field, or how to merge it. */
  | "patch-field-unknown";

const HTTP_STATUS: Readonly<Record<PatchErrorCode, number>> = {
  "patch-malformed": 400,
  "patch-too-many-operations": 413,
  "patch-copy-too-large": 422,
  "patch-too-deep": 400,
  "patch-too-much-work": 413,
  "patch-operation-invalid": 422,
  "patch-path-missing": 422,
  "patch-index-invalid": 422,
  "patch-test-failed": 422,
  "patch-directive-unknown": 500,
  "patch-merge-key-missing": 500,
  "patch-order-mismatch": 500,
  "patch-list-of-lists": 422,
  "patch-type-mismatch": 500,
  "patch-field-unknown": 500,
};
