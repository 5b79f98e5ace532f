/**
 * Judges a recorded run. Acknowledged writes, in the order of their revisions, are the one order
 * that must explain everything: each write's answer in its place, each refusal by a state between
 * its call and its answer, each read at its moment, and what every watcher heard.
 */
import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../store.ts";
import type {
  Moment,
  RecordedRead,
  RecordedRun,
  RecordedWrite,
  Snapshot,
  WriteAnswer,
} from "./recorded-run.ts";
import { SequentialModel, type Verdict } from "./sequential-model.ts";
import type { Violation } from "./violation.ts";
import { checkWatch } from "./watch-checker.ts";

/** Everything about the run that the promises of the seam do not allow. */
export function checkRun(run: RecordedRun): Violation[] {
  const violations: Violation[] = [];
  const report = (message: string): void => {
    violations.push({ guarantee: "linearizable", message });
  };
  const commits = commitsOf(run, report);
  const model = modelOf(run, { commits, report });
  for (const write of run.writes) checkWrite(write, { model, report });
  for (const read of run.reads) checkRead(read, { model, report });
  checkOrder(run, { commits, report });
  violations.push(...checkCompactions(run));
  for (const watch of run.watches) violations.push(...checkWatch(watch, model));
  return violations;
}

interface Context {
  readonly model: SequentialModel;
  readonly report: (message: string) => void;
}

type Commits = ReadonlyMap<number, RecordedWrite>;

function changes(answer: WriteAnswer | undefined): answer is WriteAnswer & { type: "results" } {
  if (answer?.type !== "results") return false;
  return answer.results.some(({ outcome }) => outcome !== "unchanged" && outcome !== "checked");
}

function commitsOf(run: RecordedRun, report: Context["report"]): Commits {
  const commits = new Map<number, RecordedWrite>();
  for (const write of run.writes) {
    if (!changes(write.answer)) continue;
    const { revision } = write.answer;
    if (commits.has(revision)) report(`two writes were acknowledged at revision ${revision}`);
    if (revision > run.end.revision) {
      report(`revision ${revision} was acknowledged, the store ends at ${run.end.revision}`);
    }
    commits.set(revision, write);
  }
  return commits;
}

/** Replays the acknowledged writes; a revision nobody wrote must be the end of a key's life. */
function modelOf(
  run: RecordedRun,
  { commits, report }: { commits: Commits; report: Context["report"] },
): SequentialModel {
  const model = new SequentialModel();
  const events = run.watches.flatMap(({ batches }) =>
    batches.flatMap(({ at, events: heard }) => heard.map((event) => ({ at, event }))),
  );
  for (let revision = 1; revision <= run.end.revision; revision += 1) {
    const write = commits.get(revision);
    if (write !== undefined) {
      model.apply(write.operations, write.called.now);
      continue;
    }
    const expiry = events.find(({ at, event }) => {
      const expiresAt = model.stateAt(revision - 1).get(event.key)?.expiresAt;
      const isOver = expiresAt !== undefined && expiresAt <= at.now;
      return event.revision === revision && event.type === "deleted" && isOver;
    });
    if (expiry === undefined) report(`nobody wrote revision ${revision}`);
    const { key } = expiry?.event ?? {};
    model.apply(key === undefined ? [] : [{ type: "delete", key }], run.end.now);
  }
  return model;
}

function checkWrite(write: RecordedWrite, { model, report }: Context): void {
  const { operations, called, answered, answer } = write;
  const what = `${operations.map(describe).join(" + ")}, called at revision ${called.revision},`;
  if (answered === undefined || answer === undefined) return report(`${what} was never answered`);
  switch (answer.type) {
    case "failed":
      return;
    case "broken":
      return report(`${what} ended with ${answer.error}`);
    case "refused": {
      const operation = operations.find(({ key }) => key === answer.key);
      const isJustified =
        operation !== undefined &&
        window(called, answered).some((revision) => {
          const [verdict] = model.judge([operation], { revision, now: called.now });
          return isRefusal(verdict!, answer);
        });
      if (!isJustified) {
        report(
          `${what} was refused: ${answer.reason} ${answer.key}, holding ${show(answer.current)}`,
        );
      }
      return;
    }
    case "results": {
      const places = window(called, answered).filter((at) => {
        if (changes(answer)) return at === answer.revision - 1 && at < answered.revision;
        return write.alone || at === answer.revision;
      });
      const isRight = places.some((revision) => {
        const verdicts = model.judge(operations, { revision, now: called.now });
        return isDeepStrictEqual(verdicts.map(plain), answer.results);
      });
      if (!isRight) report(`${what} was answered ${JSON.stringify(answer)}`);
    }
  }
}

/** The revisions whose states the answer may rest on. */
function window(called: Moment, answered: Moment): number[] {
  const length = answered.revision - called.revision + 1;
  return Array.from({ length }, (_, index) => called.revision + index);
}

function isRefusal(verdict: Verdict, answer: WriteAnswer & { type: "refused" }): boolean {
  if (verdict.type !== "refused" || verdict.reason !== answer.reason) return false;
  return isDeepStrictEqual(verdict.current, answer.current);
}

function plain(verdict: Verdict): unknown {
  if (verdict.type === "refused") return verdict;
  return { outcome: verdict.outcome, revision: verdict.revision, state: verdict.state };
}

function checkRead(read: RecordedRead, { model, report }: Context): void {
  const wanted = wantedOf(read, model);
  const got = { seen: read.seen, page: read.page };
  if (isDeepStrictEqual(got, wanted)) return;
  const what = `read ${JSON.stringify(read.read)} at revision ${read.at.revision}`;
  report(`${what} saw ${JSON.stringify(got)}, expected ${JSON.stringify(wanted)}`);
}

function wantedOf(
  { at, read }: RecordedRead,
  model: SequentialModel,
): Pick<RecordedRead, "seen"> & { page: RecordedRead["page"] | undefined } {
  const revision = read.revision ?? at.revision;
  if (revision > at.revision) return { seen: "store-revision-ahead", page: undefined };
  if (revision < at.compactRevision) return { seen: "store-revision-compacted", page: undefined };
  const state = model.stateAt(revision);
  if ("key" in read) {
    const found = state.get(read.key);
    return { seen: found === undefined ? [] : [found], page: undefined };
  }
  const { prefix, after, limit = Number.POSITIVE_INFINITY } = read;
  const keys = [...state.keys()]
    .filter((key) => key.startsWith(prefix) && (after === undefined || key > after))
    .sort();
  const seen = keys.slice(0, limit).map((key) => state.get(key)!);
  const remaining = keys.length - seen.length;
  const next = remaining > 0 ? seen.at(-1)?.key : undefined;
  return { seen, page: { revision, next, remaining } };
}

/** Time: what was acknowledged stays, nothing shows before it was asked for, nothing goes back. */
function checkOrder(
  run: RecordedRun,
  { commits, report }: { commits: Commits; report: Context["report"] },
): void {
  const acknowledged = [...commits].flatMap(([revision, { answered }]) =>
    answered === undefined ? [] : [{ revision, tick: answered.tick }],
  );
  const acknowledgedBefore = (tick: number): number =>
    Math.max(0, ...acknowledged.filter((each) => each.tick < tick).map(({ revision }) => revision));
  for (const [revision, { called }] of commits) {
    const before = acknowledgedBefore(called.tick);
    if (before >= revision) {
      report(`revision ${revision} was asked for after ${before} had been acknowledged`);
    }
  }
  let last = 0;
  for (const moment of momentsOf(run)) {
    const { tick, revision } = moment;
    if (revision < last) report(`the revision went back from ${last} to ${revision}`);
    last = revision;
    const before = acknowledgedBefore(tick);
    if (revision < before) report(`revision ${before} was acknowledged, but ${revision} was shown`);
    const visible = commits.get(revision);
    if (visible !== undefined && visible.called.tick > tick) {
      report(`revision ${revision} was shown before its write was called`);
    }
  }
}

function momentsOf(run: RecordedRun): Moment[] {
  const moments = [
    ...run.writes.flatMap(({ called, answered }) => [called, answered]),
    ...run.reads.map(({ at }) => at),
    ...run.compactions.flatMap(({ called, answered }) => [called, answered]),
    ...run.watches.flatMap(({ opened, batches, ending }) => [
      opened,
      ...batches.map(({ at }) => at),
      ending?.at,
    ]),
    run.end,
  ];
  return moments.filter((moment) => moment !== undefined).sort((a, b) => a.tick - b.tick);
}

function checkCompactions(run: RecordedRun): Violation[] {
  const violations: Violation[] = [];
  const report = (message: string): void => {
    violations.push({ guarantee: "compaction", message });
  };
  for (const { revision, called, answered, outcome } of run.compactions) {
    const isAhead = revision > called.revision;
    if (isAhead !== (outcome === "store-revision-ahead")) {
      report(`compacting ${revision} at revision ${called.revision} came to ${outcome}`);
    }
    if (outcome === "done" && (answered?.compactRevision ?? 0) < revision) {
      report(`compacted to ${revision}, but the store says ${answered?.compactRevision}`);
    }
  }
  let last = 0;
  for (const { tick, compactRevision } of momentsOf(run)) {
    if (compactRevision < last) report(`the compact revision went back to ${compactRevision}`);
    last = compactRevision;
    const asked = run.compactions.filter(({ called }) => called.tick < tick);
    if (compactRevision > Math.max(0, ...asked.map(({ revision }) => revision))) {
      report(`the store was compacted to ${compactRevision}, which nobody asked for`);
    }
  }
  return violations;
}

function describe(operation: Operation): string {
  const expected = "expectedRevision" in operation ? ` if ${operation.expectedRevision}` : "";
  return `${operation.type} ${operation.key}${expected}`;
}

function show(state: Snapshot | undefined): string {
  return state === undefined ? "nothing" : `${state.key}@${state.revision}`;
}
