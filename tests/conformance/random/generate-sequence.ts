/**
 * Random sequences of requests over few kinds and names, so that requests meet what earlier ones did.
 * A sequence is an ordinary scenario: "the version as last seen" is a reference to the last step that
 * spoke of the object, which each server answers for itself. Every sequence ends with a watch that
 * tells all that happened to its main kind. Some are mostly of applying, some of custom resources, and
 * a few change the definition of a custom resource that nobody else uses.
 */
import type { Random } from "@homeostat/concurrency";
import { applyMergePatch, type JsonObject, type JsonValue } from "@homeostat/object-model";
import {
  apply,
  type Body,
  del,
  edited,
  get,
  patch,
  pause,
  post,
  put,
  type Query,
  type RequestStep,
  type Scenario,
  type Step,
  watch,
} from "../scenario.ts";
import { changeOfSchema, install, schemaChangeCount } from "./definitions.ts";
import {
  acceptHeaders,
  contentTypes,
  customFieldSelectors,
  deleteOptions,
  fieldSelectors,
  labelSelectors,
  managers,
  metadataChanges,
  wrongValues,
} from "./pools.ts";
import {
  appliedKinds,
  builtinKinds,
  customKind,
  type RandomKind,
  sharedKinds,
} from "./random-kind.ts";
import { widgets } from "./widgets.ts";

export function generateSequence(
  random: Random,
  options: { name: string; length: number },
): Scenario {
  const generator = new Generator(random);
  return { name: options.name, steps: generator.sequence(options.length) };
}

/** An object as a version serves it. */
interface Place {
  readonly kind: RandomKind;
  readonly apiVersion: string;
  /** Of all objects. */
  readonly all: string;
  readonly name: string;
  readonly at: string;
}

class Generator {
  readonly #random: Random;
  readonly #kinds: readonly RandomKind[];
  readonly #isChanging: boolean;
  /** Of 100 requests, how many apply. */
  readonly #applying: number;
  /** Steps whose answer may hold the object, by place. */
  readonly #seen = new Map<string, string[]>();
  readonly #applied = new Map<string, RequestStep[]>();
  readonly #lists: string[] = [];
  #count = 0;
  /** One generated name at most: of two, nobody knows which is listed first. */
  #hasGenerated = false;

  constructor(random: Random) {
    this.#random = random;
    const choice = random.below(100);
    this.#isChanging = choice >= 96;
    this.#applying = this.#chance(3) || (choice >= 45 && choice < 60) ? 45 : 12;
    const all = choice < 45 ? builtinKinds : choice < 60 ? appliedKinds : sharedKinds;
    this.#kinds = this.#isChanging
      ? [customKind(widgets, "${ns}.example.com")]
      : Array.from({ length: 2 + random.below(2) }, () => this.#pick(all));
  }

  sequence(length: number): Step[] {
    const main = this.#kinds[0]!;
    const { place: all, apiVersion } = main.versions[0]!;
    const steps: Step[] = this.#isChanging ? [...install(widgets, "${ns}.example.com")] : [];
    steps.push({ ...get(all, { id: "start" }), query: this.#ours(main, {}) });
    let schema = 0;
    let since = "start";
    for (let i = 0; i < length; i++) {
      if (this.#isChanging && i % 10 === 9) {
        schema += 1 + this.#random.below(3);
        since = `start after ${i}`;
        steps.push(...changeOfSchema(widgets, schema % schemaChangeCount), get(all, { id: since }));
      }
      const step = this.#request();
      // Readers content with any version may get an older one: let the server's cache follow.
      if (step.method === "GET" && step.query?.["resourceVersion"] !== undefined)
        steps.push(pause(100));
      steps.push(step);
    }
    const name = this.#nameOf(main, "zz-end");
    const metadata = { name, labels: { of: "${ns}" } };
    steps.push(
      watch(all, {
        id: "history",
        // What was before a change of the definition is no longer told.
        query: this.#ours(main, { resourceVersion: `\${${since}:rv}` }),
        until: { name },
        during: [
          post(all, { apiVersion, kind: main.kind, ...main.sample, metadata }, { id: "end" }),
        ],
      }),
    );
    return steps;
  }

  #request(): RequestStep {
    const place = this.#place();
    const choice = this.#random.below(100);
    if (choice < this.#applying) return this.#apply(place);
    const rest = this.#random.below(88);
    if (rest < 16) return this.#create(place);
    if (rest < 22) return this.#see(place.at, get(place.at, this.#readOptions()));
    if (rest < 30) return this.#list(place);
    if (rest < 42) return this.#replace(place);
    if (rest < 60) return this.#change(place);
    if (rest < 66) return this.#changeSubresource(place);
    if (rest < 78) return this.#remove(place);
    if (rest < 81) return this.#removeMany(place);
    return this.#nonsense(place);
  }

  #place(): Place {
    const kind = this.#pick(this.#kinds);
    const name = this.#nameOf(kind, this.#pick(["a", "a", "b", "c"]));
    const { place: all, apiVersion } = this.#chance(3)
      ? this.#pick(kind.versions)
      : kind.versions[0]!;
    return { kind, apiVersion, all, name, at: `${all}/${name}` };
  }

  #create(place: Place): RequestStep {
    const { kind, all, name } = place;
    const metadata: JsonObject = { name, labels: { of: "${ns}" } };
    if (this.#chance(4)) Object.assign(metadata, this.#pick(metadataChanges));
    if (this.#chance(12) && !this.#hasGenerated) {
      this.#hasGenerated = true;
      delete metadata["name"];
      metadata["generateName"] = this.#nameOf(kind, "gen-");
    }
    const change = this.#chance(3) ? this.#pick(kind.changes) : {};
    const object = applyMergePatch(this.#object(place, metadata), change) as JsonObject;
    if (this.#chance(15)) this.#spoil(object);
    return this.#see(place.at, post(all, object, { query: this.#writeQuery() }));
  }

  /**
   * A whole object or parts of one, by one of few managers, to the object or to a subresource; or what
   * was applied before, by whoever, once more.
   */
  #apply(place: Place): RequestStep {
    const { kind, name } = place;
    const before = this.#applied.get(place.at);
    if (before !== undefined && this.#chance(4)) {
      const step = this.#pick(before);
      const query = { ...step.query };
      if (this.#chance(3)) query["fieldManager"] = this.#pick(managers);
      if (this.#chance(3)) query["force"] = "true";
      return this.#see(place.at, { ...step, query });
    }
    const metadata: JsonObject = { name, ...(this.#chance(2) && { labels: { of: "${ns}" } }) };
    if (this.#chance(6)) {
      const change = this.#pick(metadataChanges);
      // kube-apiserver keeps a null among the annotations of a custom resource until the next write.
      Object.assign(metadata, kind.isCustom ? applyMergePatch({}, change) : change);
    }
    const whole = this.#object(place, metadata);
    const bare: JsonObject = { apiVersion: place.apiVersion, kind: kind.kind, metadata };
    let configuration = this.#chance(2) ? whole : bare;
    for (let parts = this.#random.below(4); parts > 0; parts--) {
      const part = this.#pick(kind.configurations);
      configuration = this.#chance(15)
        ? { ...configuration, ...part }
        : (applyMergePatch(configuration, part) as JsonObject);
    }
    if (this.#chance(20)) this.#spoil(configuration);
    const query = { ...this.#writeQuery(), ...(this.#chance(3) && { force: "true" }) };
    const at = this.#chance(6)
      ? `${place.at}/${this.#pick(["status", "status", "scale"])}`
      : place.at;
    const manager = this.#chance(30) ? "" : this.#pick(managers);
    const step = apply(at, [manager, configuration], { query });
    if (at === place.at) this.#applied.set(at, [...(before ?? []), step]);
    return this.#see(at, step);
  }

  #replace(place: Place): RequestStep {
    const known = this.#seen.get(place.at);
    const change: JsonObject = this.#chance(2) ? { ...this.#pick(place.kind.changes) } : {};
    const metadata: JsonObject = this.#chance(2) ? { ...this.#pick(metadataChanges) } : {};
    if (this.#chance(4)) metadata["resourceVersion"] = null;
    const by = { ...change, ...(Object.keys(metadata).length > 0 && { metadata }) };
    const body: Body | JsonObject =
      known === undefined
        ? this.#object(place, { name: place.name, labels: { of: "${ns}" } })
        : edited(this.#chance(4) ? this.#pick(known) : known.at(-1)!, by);
    return this.#see(place.at, put(place.at, body, { query: this.#writeQuery() }));
  }

  #change({ kind, at }: Place): RequestStep {
    const change: JsonObject = this.#chance(2)
      ? { metadata: { ...this.#pick(metadataChanges) } }
      : { ...this.#pick(kind.changes) };
    const known = this.#seen.get(at);
    if (known !== undefined && this.#chance(6)) {
      change["metadata"] = {
        resourceVersion: `\${${this.#pick(known)}:rv}`,
        annotations: { v: "1" },
      };
    }
    const options = { query: this.#writeQuery() };
    if (this.#chance(4))
      return this.#see(at, patch(at, ["json", this.#operations(change)], options));
    // No custom resource takes a strategic patch.
    const type = this.#chance(kind.isCustom ? 20 : 2) ? "strategic" : "merge";
    return this.#see(at, patch(at, [type, change], options));
  }

  #operations(change: JsonObject): JsonValue {
    const operations: [string, JsonValue][] = [];
    for (const [top, value] of Object.entries(change)) {
      const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
      if (!isMap) operations.push([`/${top}`, value]);
      else {
        for (const [key, each] of Object.entries(value)) {
          operations.push([`/${top}/${key.replaceAll("/", "~1")}`, each]);
        }
      }
    }
    return operations.map(([path, value]) => {
      if (value === null) return { op: "remove", path };
      return { op: this.#pick(["add", "add", "replace", "test"]), path, value };
    });
  }

  #changeSubresource({ kind, at }: Place): RequestStep {
    const name = this.#pick(["status", ...kind.subresources]);
    const below = `${at}/${name}`;
    if (this.#chance(4)) return this.#see(below, get(below));
    const change: JsonObject =
      name === "scale"
        ? { spec: { replicas: this.#random.below(4) - 1 } }
        : this.#chance(2)
          ? { metadata: { ...this.#pick(metadataChanges) } }
          : { ...this.#pick(kind.changes) };
    return this.#see(below, patch(below, ["merge", change], { query: this.#writeQuery() }));
  }

  #remove({ at }: Place): RequestStep {
    const known = this.#seen.get(at);
    let options = this.#pick(deleteOptions);
    if (known !== undefined && this.#chance(6)) {
      const step = this.#pick(known);
      options = { preconditions: { uid: `\${${step}:uid}`, resourceVersion: `\${${step}:rv}` } };
    }
    const query = this.#chance(15) ? { dryRun: "All" } : {};
    return this.#see(at, { ...del(at, options), query });
  }

  #removeMany({ kind, all }: Place): RequestStep {
    const query = this.#ours(kind, this.#selectors(kind));
    return { ...del(all, this.#pick(deleteOptions)), id: this.#nextId(), query };
  }

  #list({ kind, all }: Place): RequestStep {
    const id = this.#nextId();
    const query: Record<string, string> = { ...this.#selectors(kind) };
    // Cluster wide, whether a page is the last depends on what others have made.
    if (kind.isNamespaced && this.#chance(3)) query["limit"] = String(1 + this.#random.below(2));
    if (this.#chance(4) && this.#lists.length > 0)
      query["continue"] = `\${${this.#pick(this.#lists)}:continue}`;
    if (this.#chance(5)) query["resourceVersion"] = this.#pick(["0", "1", "${start:rv}", "abc"]);
    if (this.#chance(8)) query["resourceVersionMatch"] = this.#pick(["Exact", "NotOlderThan", "x"]);
    if (query["limit"] !== undefined) this.#lists.push(id);
    return get(all, { id, query: this.#ours(kind, query) });
  }

  /** Requests that make little sense. */
  #nonsense(place: Place): RequestStep {
    const { all, at } = place;
    const text = JSON.stringify(this.#object(place, { name: this.#nameOf(place.kind, "a") }));
    const cut = this.#random.below(text.length);
    const id = this.#nextId();
    const headers = { "content-type": this.#pick(contentTypes) };
    switch (this.#random.below(6)) {
      case 0:
        return post(all, { text: text.slice(0, cut) }, { id });
      case 1:
        return post(
          all,
          {
            text:
              text.slice(0, cut) +
              this.#pick(["}", "\\", '"', ",", "0", "[", "\u0000"]) +
              text.slice(cut + 1),
          },
          { id },
        );
      case 2:
        return { ...post(all, { text }, { id, query: { dryRun: "All" } }), headers };
      case 3:
        return { ...patch(at, ["merge", this.#pick(wrongValues)], { id }), headers };
      case 4:
        return get(`${at}/${this.#pick(["nothing", "status", "scale", "a/b", ""])}`, { id });
      default:
        return { ...get(at, { id }), headers: { accept: this.#pick(acceptHeaders) } };
    }
  }

  /** Sets some value to one that it likely must not have. */
  #spoil(object: JsonObject): void {
    const keys = Object.keys(object).filter((key) => key !== "metadata");
    const key = this.#pick(keys);
    const inner = object[key];
    if (this.#chance(2) && typeof inner === "object" && inner !== null && !Array.isArray(inner)) {
      const names = Object.keys(inner);
      if (names.length > 0) {
        object[key] = { ...inner, [this.#pick(names)]: this.#pick(wrongValues) };
        return;
      }
    }
    object[key] = this.#pick(wrongValues);
  }

  #object({ kind, apiVersion }: Place, metadata: JsonObject): JsonObject {
    return { apiVersion, kind: kind.kind, ...kind.sample, metadata };
  }

  #writeQuery(): Query {
    const query: Record<string, string> = {};
    if (this.#chance(10)) query["dryRun"] = this.#pick(["All", "All", "None"]);
    if (this.#chance(3)) query["fieldManager"] = this.#pick(managers);
    if (this.#chance(8)) query["fieldValidation"] = this.#pick(["Strict", "Ignore", "Warn", "x"]);
    return query;
  }

  #readOptions(): { query?: Query } {
    return this.#chance(5) ? { query: { resourceVersion: this.#pick(["0", "1", "x"]) } } : {};
  }

  #selectors({ isCustom }: RandomKind): Record<string, string> {
    return {
      ...(this.#chance(3) && { labelSelector: this.#pick(labelSelectors) }),
      ...(this.#chance(4) && {
        fieldSelector: this.#pick(isCustom ? customFieldSelectors : fieldSelectors),
      }),
    };
  }

  /** Cluster wide, only what this sequence made: others run on the same server. */
  #ours(kind: RandomKind, query: Record<string, string>): Record<string, string> {
    if (kind.isNamespaced) return query;
    const chosen = query["labelSelector"];
    return { ...query, labelSelector: chosen === undefined ? "of=${ns}" : `of=\${ns},${chosen}` };
  }

  #nameOf(kind: RandomKind, name: string): string {
    return kind.isNamespaced ? name : `\${ns}-${name}`;
  }

  #see(place: string, step: RequestStep): RequestStep {
    const id = this.#nextId();
    this.#seen.set(place, [...(this.#seen.get(place) ?? []), id]);
    return { ...step, id };
  }

  #nextId(): string {
    return `s${++this.#count}`;
  }

  #chance(oneIn: number): boolean {
    return this.#random.below(oneIn) === 0;
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)]!;
  }
}
