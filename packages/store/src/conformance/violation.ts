/** A promise of the seam that a run did not keep. */
export interface Violation {
  readonly guarantee:
    | "linearizable"
    | "compaction"
    | "ordered"
    | "unique"
    | "atomic"
    | "reliable"
    | "resumable"
    | "bookmarkable"
    | "previous"
    | "type"
    | "value"
    | "ending";
  readonly message: string;
}
