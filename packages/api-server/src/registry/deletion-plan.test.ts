import type { KubernetesObject, ObjectMeta } from "@homeostat/object-model";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import { expect, test } from "vitest";
import { isReleased, planDeletion } from "./deletion-plan.ts";
import type { Strategy } from "./strategy.ts";

// 2026-01-01T00:00:00Z
const NOW = 1_767_225_600_000;
const PLAIN: Strategy = {};
const GRACEFUL: Strategy = { deletionGrace: (_object, wanted) => wanted ?? 30 };
const ORPHANING: Strategy = { deletePropagation: "Orphan" };
const HELD: Strategy = { mustStay: () => true };

interface Row {
  readonly what: string;
  readonly strategy: Strategy;
  readonly metadata: ObjectMeta;
  readonly options: DeleteOptions;
  readonly step: "remove" | "mark" | "mark-then-remove" | "wait";
  /** What the metadata is afterwards, where it is written. */
  readonly becomes?: ObjectMeta;
}

const marked = { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };
const due30 = { deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 };

const rows: readonly Row[] = [
  { what: "nothing keeps it", strategy: PLAIN, metadata: {}, options: {}, step: "remove" },
  {
    what: "a finalizer keeps it",
    strategy: PLAIN,
    metadata: { finalizers: ["a/b"] },
    options: {},
    step: "mark",
    becomes: { finalizers: ["a/b"], ...marked },
  },
  {
    what: "the beginning of deletion counts as a change of what is wanted",
    strategy: PLAIN,
    metadata: { finalizers: ["a/b"], generation: 4 },
    options: {},
    step: "mark",
    becomes: { finalizers: ["a/b"], generation: 5, ...marked },
  },
  {
    what: "a second deletion does not count again",
    strategy: PLAIN,
    metadata: { finalizers: ["a/b"], generation: 5, ...marked },
    options: {},
    step: "mark",
    becomes: { finalizers: ["a/b"], generation: 5, ...marked },
  },
  {
    what: "once the holder has no time left, another policy replaces the one that was",
    strategy: GRACEFUL,
    metadata: { ...marked, finalizers: ["orphan"] },
    options: { propagationPolicy: "Foreground" },
    step: "mark",
    becomes: { ...marked, finalizers: ["foregroundDeletion"] },
  },
  {
    what: "what should have been removed already is",
    strategy: GRACEFUL,
    metadata: marked,
    options: {},
    step: "remove",
  },
  {
    what: "a shorter grace that is over already ends now, and is a second",
    strategy: GRACEFUL,
    metadata: { deletionTimestamp: "2026-01-01T00:00:10Z", deletionGracePeriodSeconds: 30 },
    options: { gracePeriodSeconds: 5 },
    step: "mark",
    becomes: { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 1 },
  },
  {
    what: "what holds others is marked",
    strategy: HELD,
    metadata: {},
    options: {},
    step: "mark",
    becomes: { deletionTimestamp: "2026-01-01T00:00:00Z" },
  },
  {
    what: "what holds others and is marked waits",
    strategy: HELD,
    metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    options: { propagationPolicy: "Foreground" },
    step: "wait",
  },
  {
    what: "foreground is a finalizer",
    strategy: PLAIN,
    metadata: {},
    options: { propagationPolicy: "Foreground" },
    step: "mark",
    becomes: { finalizers: ["foregroundDeletion"], ...marked },
  },
  {
    what: "orphan is a finalizer",
    strategy: PLAIN,
    metadata: {},
    options: { propagationPolicy: "Orphan" },
    step: "mark",
    becomes: { finalizers: ["orphan"], ...marked },
  },
  {
    what: "the old way to say orphan",
    strategy: PLAIN,
    metadata: {},
    options: { orphanDependents: true },
    step: "mark",
    becomes: { finalizers: ["orphan"], ...marked },
  },
  {
    what: "the old way to say background removes both finalizers",
    strategy: ORPHANING,
    metadata: { finalizers: ["orphan", "foregroundDeletion"] },
    options: { orphanDependents: false },
    step: "remove",
  },
  {
    what: "a policy replaces the other's finalizer and keeps the rest",
    strategy: PLAIN,
    metadata: { finalizers: ["orphan", "a/b"] },
    options: { propagationPolicy: "Foreground" },
    step: "mark",
    becomes: { finalizers: ["a/b", "foregroundDeletion"], ...marked },
  },
  {
    what: "background drops what waits for the collector",
    strategy: PLAIN,
    metadata: { finalizers: ["foregroundDeletion"] },
    options: { propagationPolicy: "Background" },
    step: "remove",
  },
  {
    what: "a finalizer that is there decides before the kind's default",
    strategy: ORPHANING,
    metadata: { finalizers: ["foregroundDeletion"] },
    options: {},
    step: "mark",
    becomes: { finalizers: ["foregroundDeletion"], ...marked },
  },
  {
    what: "a kind whose dependents stay by default",
    strategy: ORPHANING,
    metadata: {},
    options: {},
    step: "mark",
    becomes: { finalizers: ["orphan"], ...marked },
  },
  {
    what: "a holder gets time",
    strategy: GRACEFUL,
    metadata: {},
    options: {},
    step: "mark",
    becomes: due30,
  },
  {
    what: "a holder gets no time when asked",
    strategy: GRACEFUL,
    metadata: {},
    options: { gracePeriodSeconds: 0 },
    step: "mark-then-remove",
  },
  {
    what: "grace may shrink, counted from the beginning",
    strategy: GRACEFUL,
    metadata: due30,
    options: { gracePeriodSeconds: 10 },
    step: "mark",
    becomes: { deletionTimestamp: "2026-01-01T00:00:10Z", deletionGracePeriodSeconds: 10 },
  },
  {
    what: "grace may not grow",
    strategy: GRACEFUL,
    metadata: due30,
    options: { gracePeriodSeconds: 60 },
    step: "wait",
  },
  {
    what: "the same grace again",
    strategy: GRACEFUL,
    metadata: due30,
    options: { gracePeriodSeconds: 30 },
    step: "wait",
  },
  {
    what: "a second deletion waits",
    strategy: GRACEFUL,
    metadata: due30,
    options: {},
    step: "wait",
  },
  {
    what: "the holder is done",
    strategy: GRACEFUL,
    metadata: due30,
    options: { gracePeriodSeconds: 0 },
    step: "mark-then-remove",
  },
  {
    what: "the holder is done and a finalizer is not",
    strategy: GRACEFUL,
    metadata: { ...due30, finalizers: ["a/b"] },
    options: { gracePeriodSeconds: 0 },
    step: "mark",
    becomes: { ...marked, finalizers: ["a/b"] },
  },
  {
    what: "less than no grace is a second",
    strategy: GRACEFUL,
    metadata: due30,
    options: { gracePeriodSeconds: -1 },
    step: "mark",
    becomes: { deletionTimestamp: "2026-01-01T00:00:01Z", deletionGracePeriodSeconds: 1 },
  },
];

test.for(rows.map((row) => [row.what, row] as const))("%s", ([, row]) => {
  const object: KubernetesObject = { metadata: structuredClone(row.metadata) };
  const plan = planDeletion(object, { options: row.options, strategy: row.strategy, now: NOW });
  const written = row.becomes === undefined ? {} : { object: { metadata: row.becomes } };
  expect(plan).toMatchObject({ step: row.step, ...written });
});

test.for([
  ["the last finalizer went", {}, { ...marked, finalizers: ["a/b"] }, PLAIN, true],
  ["a finalizer is left", { finalizers: ["a/b"] }, marked, PLAIN, false],
  ["nobody deleted it", {}, { finalizers: ["a/b"] }, PLAIN, false],
  ["its holder still has time", {}, { ...due30, finalizers: ["a/b"] }, PLAIN, false],
  ["its kind keeps it", {}, { ...marked, finalizers: ["a/b"] }, HELD, false],
] as const)(
  "an update removes an object for good or not: %s",
  ([, metadata, old, strategy, released]) => {
    const before: KubernetesObject = { metadata: structuredClone(old) as ObjectMeta };
    expect(
      isReleased({ metadata: structuredClone(metadata) as ObjectMeta }, before, strategy),
    ).toBe(released);
  },
);
