/** Who writes, and when. */
export interface Writer {
  /** "" is nobody known. */
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** For writes in steps: pause between them. */
  readonly pauses?: boolean;
}
