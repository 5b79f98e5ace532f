/** What a server answered to one scenario, step by step, before anything is renamed. */
import type { JsonValue } from "@homeostat/object-model";

export interface Recording {
  readonly steps: readonly RecordedStep[];
  /** Everything the scenario says by itself, before references are filled in. */
  readonly sent: string;
  readonly namespace: string;
  /** The order of versions is chance. */
  readonly unordered: boolean;
}

export type RecordedStep = { readonly id: string } & (
  | RecordedAnswer
  | RecordedWatch
  | RecordedCrowd
);

interface RecordedAnswer {
  readonly kind: "answer";
  /** Method, path and query as they went out. */
  readonly asked: string;
  /** The body as the scenario wrote it. */
  readonly said: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** A text where the answer is no JSON; undefined where there is no body. */
  readonly body: JsonValue | undefined;
}

export interface RecordedWatch {
  readonly kind: "watch";
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly events: readonly JsonValue[];
  /** Whether the server ended it, we had seen enough, or what we waited for never came. */
  readonly end: "server" | "enough" | "gave up";
}

interface RecordedCrowd {
  readonly kind: "crowd";
  /** Status -> how many. */
  readonly statuses: Readonly<Record<string, number>>;
}
