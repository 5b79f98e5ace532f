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

/** Lets others have a turn after every step. */
export async function inSlices<T>(steps: WorkSteps<T>, breathe: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await breathe();
  }
}

/** At once where there is one step only; else in slices, each step one. */
export function inTurns<T>(steps: WorkSteps<T>, breathe: () => Promise<void>): T | Promise<T> {
  const first = steps.next();
  if (first.done === true) return first.value;
  return breathe().then(() => inSlices(steps, breathe));
}
