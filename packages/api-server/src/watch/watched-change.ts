import type { KubernetesObject, Labels, WatchFrame } from "@homeostat/object-model";
import type { KeyValue, StoreEvent } from "@homeostat/store";
import { decodeServed, keptJson } from "../answers/object-payload.ts";
import { WatchLine } from "../answers/watch-line.ts";
import type { Selection } from "../registry/selection.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { storedFields, storedLabels } from "../registry/stored-object.ts";

/**
 * One commit of one object, as all its watchers see it: heads are read and lines rendered once,
 * however many ask.
 */
export class WatchedChange {
  readonly #event: StoreEvent;
  readonly #served: ServedResource;
  readonly #heads: { current?: Head; previous?: Head } = {};
  readonly #lines: Partial<Record<WatchFrame["type"], WatchLine>> = {};

  constructor(event: StoreEvent, served: ServedResource) {
    this.#event = event;
    this.#served = served;
  }

  /** What a watcher with this selection is told; undefined for nothing. */
  lineFor(selection: Selection): WatchLine | undefined {
    const { type } = this.#event;
    if (selection.everything) {
      return this.#line(type === "added" ? "ADDED" : type === "modified" ? "MODIFIED" : "DELETED");
    }
    const now = this.#matches(selection, "current");
    const before = this.#matches(selection, "previous");
    if (now) return this.#line(before ? "MODIFIED" : "ADDED");
    return before ? this.#line("DELETED") : undefined;
  }

  #matches(selection: Selection, which: "current" | "previous"): boolean {
    const state = this.#event[which];
    if (state === undefined) return false;
    this.#heads[which] ??= new Head(state);
    const head = this.#heads[which];
    return selection.matchesHead(state.key, head.labels, () => head.fields);
  }

  #line(type: "ADDED" | "MODIFIED" | "DELETED"): WatchLine {
    const { current, previous, revision } = this.#event;
    // What is gone, or gone from a selection, is shown as it last was, at the version of its going.
    const state = type === "DELETED" ? previous! : current!;
    this.#lines[type] ??= stateLine(type, { state, revision, served: this.#served });
    return this.#lines[type];
  }
}

class Head {
  readonly #state: KeyValue;
  #labels: Labels;
  #fields: readonly string[] | undefined;

  constructor(state: KeyValue) {
    this.#state = state;
  }

  get labels(): Labels {
    this.#labels ??= storedLabels(this.#state.value);
    return this.#labels;
  }

  get fields(): readonly string[] {
    this.#fields ??= storedFields(this.#state.value);
    return this.#fields;
  }
}

/** The line that shows a state, at the version given. */
export function stateLine(
  type: "ADDED" | "MODIFIED" | "DELETED",
  { state, revision, served }: { state: KeyValue; revision: number; served: ServedResource },
): WatchLine {
  const object = (): KubernetesObject => decodeServed({ value: state.value, revision }, served);
  if (!served.isStorageVersion) return new WatchLine({ type, object });
  return new WatchLine({ type, object, json: () => keptJson({ value: state.value, revision }) });
}

/** A line about something that is not stored: a bookmark, an error. */
export function valueLine(type: "BOOKMARK" | "ERROR", object: KubernetesObject): WatchLine {
  return new WatchLine({ type, object: () => object });
}
