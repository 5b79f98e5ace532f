import { isDeepStrictEqual } from "node:util";
import type { RecordedEvent, RecordedWatch } from "./recorded-run.ts";
import type { SequentialModel } from "./sequential-model.ts";
import type { Violation } from "./violation.ts";

/**
 * The guarantees of one watch, by the names etcd gave them:
 *
 * ordered       no event comes after one of a later revision
 * unique        no event comes twice
 * atomic        the events of one revision come in one batch, all of them, in their order
 * reliable      no event is left out between two that came, or up to what a batch says is complete
 * resumable     it begins right after the revision that was asked for, or says that it cannot
 * bookmarkable  a batch's revision is complete: nothing up to it comes later, nothing is ahead
 *
 * and that each event tells the truth: its `type`, its `value`, its `previous` state. A watch must
 * also end for a reason.
 */
export function checkWatch(watch: RecordedWatch, model: SequentialModel): Violation[] {
  const violations: Violation[] = [];
  const { prefix, opened } = watch;
  const start = watch.after ?? opened.revision;
  const name = `watch of ${JSON.stringify(prefix)} after ${start}`;
  const report = (guarantee: Violation["guarantee"], message: string): void => {
    violations.push({ guarantee, message: `${name}: ${message}` });
  };
  const wantedAt = (revision: number): RecordedEvent[] =>
    model.eventsAt(revision).filter(({ key }) => key.startsWith(prefix));

  const seen = new Set<string>();
  let complete = start;
  let lastEvent = start;
  for (const { at, revision, events } of watch.batches) {
    const inBatch = new Map<number, RecordedEvent[]>();
    for (const event of events) {
      const id = `${event.key}@${event.revision}`;
      if (seen.has(id)) report("unique", `${id} came twice`);
      if (event.revision <= start) report("resumable", `${id} came`);
      else if (event.revision < lastEvent) report("ordered", `${id} came after ${lastEvent}`);
      else if (event.revision <= complete && !seen.has(id)) {
        const isOfLast = event.revision === lastEvent;
        report(isOfLast ? "atomic" : "bookmarkable", `${id} came after revision ${complete}`);
      }
      seen.add(id);
      lastEvent = Math.max(lastEvent, event.revision);
      inBatch.set(event.revision, [...(inBatch.get(event.revision) ?? []), event]);
    }
    for (const [each, got] of inBatch) checkRevision(got, wantedAt(each), report);
    if (revision < lastEvent || revision < complete || revision > at.revision) {
      const order = `after ${complete}, holding ${lastEvent}, the store at ${at.revision}`;
      report("bookmarkable", `a batch said it is complete up to ${revision}, ${order}`);
    }
    const isFirst = complete === start && watch.after !== undefined;
    for (let each = complete + 1; each <= Math.min(revision, model.revision); each += 1) {
      if (inBatch.has(each) || wantedAt(each).length === 0) continue;
      report(isFirst ? "resumable" : "reliable", `revision ${each} did not come`);
    }
    complete = Math.max(complete, revision);
  }
  checkEnding(watch, { complete, model, report });
  return violations;
}

type Report = (guarantee: Violation["guarantee"], message: string) => void;

/** One revision's events in one batch. */
function checkRevision(
  got: readonly RecordedEvent[],
  wanted: readonly RecordedEvent[],
  report: Report,
): void {
  const keys = (events: readonly RecordedEvent[]): string[] => events.map(({ key }) => key);
  const revision = got[0]!.revision;
  if (!isDeepStrictEqual(keys(got), keys(wanted))) {
    const isSame = isDeepStrictEqual(keys(got).sort(), keys(wanted).sort());
    const missing = keys(wanted).some((key) => !keys(got).includes(key));
    const text = `revision ${revision} came as ${keys(got).join()}, it is ${keys(wanted).join()}`;
    report(isSame ? "ordered" : missing ? "atomic" : "unique", text);
  }
  for (const event of got) {
    const truth = wanted.find(({ key }) => key === event.key);
    if (truth === undefined) continue;
    const id = `${event.key}@${revision}`;
    if (event.type !== truth.type) report("type", `${id} is ${truth.type}, told as ${event.type}`);
    if (!isDeepStrictEqual(event.current, truth.current)) {
      report("value", `${id} came with ${JSON.stringify(event.current)}`);
    }
    if (!isDeepStrictEqual(event.previous, truth.previous)) {
      report("previous", `${id} came with ${JSON.stringify(event.previous)}`);
    }
  }
}

function checkEnding(
  { prefix, bufferSize, ending }: RecordedWatch,
  { complete, model, report }: { complete: number; model: SequentialModel; report: Report },
): void {
  if (ending === undefined) return report("ending", "it was never ended");
  switch (ending.code) {
    case "closed":
      return;
    case "store-watch-overflow": {
      const lastRevision = ending.lastRevision ?? -1;
      let isMissed = lastRevision < complete;
      for (let each = complete + 1; each <= lastRevision; each += 1) {
        isMissed ||= model.eventsAt(each).some(({ key }) => key.startsWith(prefix));
      }
      if (isMissed) {
        report("resumable", `cut at ${complete}, but told to resume at ${lastRevision}`);
      }
      let behind = 0;
      for (let each = complete + 1; each <= ending.at.revision; each += 1) {
        behind += model.eventsAt(each).filter(({ key }) => key.startsWith(prefix)).length;
      }
      if (behind <= bufferSize) {
        report("ending", `cut when ${behind} events behind, of ${bufferSize} allowed`);
      }
      return;
    }
    case "store-revision-compacted":
      if (complete >= ending.at.compactRevision) {
        report("ending", `said to be compacted at ${complete}, of ${ending.at.compactRevision}`);
      }
      return;
    case "store-revision-ahead":
      if (complete <= ending.at.revision) report("ending", `said to be ahead at ${complete}`);
      return;
    default:
      report("ending", `ended with ${ending.code}`);
  }
}
