/** A promise of the store that was not kept. */
export interface Violation {
  readonly kind:
    | "acknowledged-write-lost"
    | "revision-went-back"
    | "compaction-undone"
    | "write-never-issued"
    | "failed-write-is-there"
    | "impossible-write"
    | "wrong-history"
    | "wrong-state"
    | "wrong-answer"
    | "watch-gap"
    | "did-not-open"
    | "died"
    | "hung"
    | "unclear-error"
    | "files-changed"
    | "did-not-recover";
  readonly detail: string;
}
