/**
 * Random histories: a few clients with a list of steps each, run side by side against one store.
 * Steps are plans, made concrete when their turn comes: "the revision I last saw", "three revisions
 * back". A script is plain data, so that a failing one shrinks and can be replayed.
 */
import * as fc from "fast-check";

export interface OperationPlan {
  /** put: create or update, whichever fits the present state. */
  readonly type: "put" | "create" | "update" | "delete" | "check";
  readonly key: string;
  readonly text: string;
  /** Which revision to expect: none, the present one, the last one this client saw, a wrong one. */
  readonly expect: "any" | "present" | "seen" | "wrong";
  readonly lives: number | undefined;
}

export interface WatchPlan {
  readonly prefix: string;
  /** Revisions before the present to start at; undefined: from now on. */
  readonly back: number | undefined;
  readonly bufferSize: number;
  /** Pause after each batch. */
  readonly pace: number;
  readonly asksProgress: boolean;
}

export type Step = { readonly pause: number } & (
  | { readonly type: "write"; readonly plan: OperationPlan; readonly waits: boolean }
  | {
      readonly type: "transaction";
      readonly plans: readonly OperationPlan[];
      readonly waits: boolean;
    }
  | { readonly type: "get"; readonly key: string; readonly back: number | undefined }
  | {
      readonly type: "list";
      readonly prefix: string;
      readonly after: string | undefined;
      readonly limit: number | undefined;
      readonly back: number | undefined;
    }
  | { readonly type: "compact"; readonly back: number }
  | { readonly type: "watch"; readonly plan: WatchPlan }
);

export interface Script {
  readonly clients: readonly (readonly Step[])[];
}

const key = fc.constantFrom("a/1", "a/2", "a/3", "b/1", "__proto__");
const prefix = fc.constantFrom("", "a/", "a/1", "b", "__proto__", "c");
const text = fc.constantFrom("", "one", "two");
const back = fc.option(fc.nat({ max: 8 }), { nil: undefined });

function planOf(
  types: readonly OperationPlan["type"][],
  lives: boolean,
): fc.Arbitrary<OperationPlan> {
  return fc.record({
    type: fc.constantFrom(...types),
    key,
    text,
    expect: fc.constantFrom("any", "any", "any", "present", "present", "seen", "wrong"),
    lives: lives
      ? fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.integer({ min: 1, max: 12 }))
      : fc.constant(undefined),
  });
}

const watchPlan: fc.Arbitrary<WatchPlan> = fc.record({
  prefix,
  back,
  bufferSize: fc.constantFrom(1, 1, 2, 3, 1_000),
  pace: fc.constantFrom(0, 1, 6, 25),
  asksProgress: fc.boolean(),
});

/** `lives`: whether some keys have a time to live, which needs a clock that moves. */
export function scripts(options: { lives: boolean; steps: number }): fc.Arbitrary<Script> {
  const writes = planOf(
    ["put", "put", "put", "put", "put", "create", "update", "delete"],
    options.lives,
  );
  const parts = planOf(["put", "put", "put", "create", "update", "delete", "check"], options.lives);
  const waits = fc.boolean();
  const pause = fc.constantFrom(0, 0, 1, 2, 3);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ type: fc.constant("write" as const), plan: writes, waits, pause }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant("transaction" as const),
        plans: fc.uniqueArray(parts, { selector: (plan) => plan.key, maxLength: 4 }),
        waits,
        pause,
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("get" as const), key, back, pause }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant("list" as const),
        prefix,
        after: fc.option(key, { nil: undefined }),
        limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        back,
        pause,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant("compact" as const),
        back: fc.integer({ min: -1, max: 6 }),
        pause,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant("watch" as const), plan: watchPlan, pause }),
    },
  );
  const { steps } = options;
  const client = fc.array(step, { minLength: steps >> 1, maxLength: steps, size: "max" });
  return fc.record({ clients: fc.array(client, { minLength: 1, maxLength: 5, size: "max" }) });
}
