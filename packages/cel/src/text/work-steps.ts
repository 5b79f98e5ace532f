/**
 * Work that may take long, cut into steps: who drives it may do something else between two of them.
 * A step takes a few milliseconds.
 */
export type WorkSteps<T> = Generator<undefined, T, undefined>;

/** Elementary steps of a machine (5 to 20 ns each) between two rests. */
export const STEPS_PER_SLICE = 250_000;

/** Work is counted in microseconds, roughly: so much is done without a rest. */
export const WORK_PER_SLICE = 4_000;

/** How many of these are done between two rests. */
export const REST_AFTER = { characters: 200_000, elements: 16_384 } as const;

/** To the end, without a rest. */
export function finishNow<T>(steps: WorkSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
