/**
 * Random sequences of requests over few kinds and names, so that requests meet what earlier ones did.
 * A sequence is an ordinary scenario: "the version as last seen" is a reference to the last step that
 * spoke of the object, which each server answers for itself. Every sequence ends with a watch that
 * tells all that happened to its main kind.
 */
import type { Random } from "@homeostat/concurrency";
import { applyMergePatch, type JsonObject, type JsonValue } from "@homeostat/object-model";
import {
  apply,
  type Body,
  del,
  edited,
  findResource,
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
import { sampleOf } from "../scenarios/sample-objects.ts";
import {
  acceptHeaders,
  contentTypes,
  deleteOptions,
  fieldSelectors,
  labelSelectors,
  managers,
  metadataChanges,
  resources,
  wrongValues,
} from "./pools.ts";

export function generateSequence(
  random: Random,
  options: { name: string; length: number },
): Scenario {
  const generator = new Generator(random);
  return { name: options.name, steps: generator.sequence(options.length) };
}

class Generator {
  readonly #random: Random;
  readonly #kinds: readonly string[];
  /** Steps whose answer may hold the object, by place. */
  readonly #seen = new Map<string, string[]>();
  readonly #lists: string[] = [];
  #count = 0;
  /** One generated name at most: of two, nobody knows which is listed first. */
  #hasGenerated = false;

  constructor(random: Random) {
    this.#random = random;
    const all = Object.keys(resources);
    this.#kinds = Array.from({ length: 2 + random.below(2) }, () => this.#pick(all));
  }

  sequence(length: number): Step[] {
    const main = this.#kinds[0]!;
    const steps: Step[] = [{ ...get(main, { id: "start" }), query: this.#ours(main, {}) }];
    for (let i = 0; i < length; i++) {
      const step = this.#request();
      // Readers content with any version may get an older one: let the server's cache follow.
      if (step.method === "GET" && step.query?.["resourceVersion"] !== undefined)
        steps.push(pause(100));
      steps.push(step);
    }
    const last = "zz-end";
    steps.push(
      watch(main, {
        id: "history",
        query: this.#ours(main, { resourceVersion: "${start:rv}" }),
        until: { name: this.#nameOf(main, last) },
        during: [
          post(main, this.#object(main, { name: last, labels: { of: "${ns}" } }), { id: "end" }),
        ],
      }),
    );
    return steps;
  }

  #request(): RequestStep {
    const kind = this.#pick(this.#kinds);
    const name = this.#pick(["a", "a", "b", "c"]);
    const place = `${kind}/${this.#nameOf(kind, name)}`;
    const choice = this.#random.below(100);
    if (choice < 16) return this.#create(kind, name);
    if (choice < 28) return this.#apply(kind, place);
    if (choice < 34) return this.#see(place, get(place, this.#readOptions()));
    if (choice < 42) return this.#list(kind);
    if (choice < 54) return this.#replace(kind, place);
    if (choice < 72) return this.#change(kind, place);
    if (choice < 78) return this.#changeSubresource(kind, place);
    if (choice < 90) return this.#remove(place);
    if (choice < 93) return this.#removeMany(kind);
    return this.#nonsense(kind, place);
  }

  #create(kind: string, name: string): RequestStep {
    const metadata: JsonObject = { name: this.#nameOf(kind, name), labels: { of: "${ns}" } };
    if (this.#chance(4)) Object.assign(metadata, this.#pick(metadataChanges));
    if (this.#chance(12) && !this.#hasGenerated) {
      this.#hasGenerated = true;
      delete metadata["name"];
      metadata["generateName"] = this.#nameOf(kind, "gen-");
    }
    const change = this.#chance(3) ? this.#pick(resources[kind]!) : {};
    const object = applyMergePatch(this.#object(kind, metadata), change) as JsonObject;
    if (this.#chance(15)) this.#spoil(object);
    return this.#see(
      `${kind}/${this.#nameOf(kind, name)}`,
      post(kind, object, { query: this.#writeQuery() }),
    );
  }

  /** A whole object or a part of one, by one of few managers; to the object or to a subresource. */
  #apply(kind: string, place: string): RequestStep {
    const metadata: JsonObject = { name: place.split("/")[1]!, labels: { of: "${ns}" } };
    if (this.#chance(4)) Object.assign(metadata, this.#pick(metadataChanges));
    const whole = this.#object(kind, metadata);
    const { apiVersion, kind: type } = whole;
    const bare: JsonObject = { apiVersion: apiVersion!, kind: type!, metadata };
    const isWhole = this.#chance(2);
    const change = this.#chance(2) ? this.#pick(resources[kind]!) : {};
    const configuration = applyMergePatch(isWhole ? whole : bare, change) as JsonObject;
    if (this.#chance(20)) this.#spoil(configuration);
    const query = { ...this.#writeQuery(), ...(this.#chance(3) && { force: "true" }) };
    const at = this.#chance(8) ? `${place}/${this.#pick(["status", "scale"])}` : place;
    const manager = this.#chance(30) ? "" : this.#pick(managers);
    return this.#see(at, apply(at, [manager, configuration], { query }));
  }

  #replace(kind: string, place: string): RequestStep {
    const known = this.#seen.get(place);
    const change: JsonObject = this.#chance(2) ? { ...this.#pick(resources[kind]!) } : {};
    const metadata: JsonObject = this.#chance(2) ? { ...this.#pick(metadataChanges) } : {};
    if (this.#chance(4)) metadata["resourceVersion"] = null;
    const by = { ...change, ...(Object.keys(metadata).length > 0 && { metadata }) };
    const body: Body | JsonObject =
      known === undefined
        ? this.#object(kind, { name: place.split("/")[1]!, labels: { of: "${ns}" } })
        : edited(this.#chance(4) ? this.#pick(known) : known.at(-1)!, by);
    return this.#see(place, put(place, body, { query: this.#writeQuery() }));
  }

  #change(kind: string, place: string): RequestStep {
    const change: JsonObject = this.#chance(2)
      ? { metadata: { ...this.#pick(metadataChanges) } }
      : { ...this.#pick(resources[kind]!) };
    const known = this.#seen.get(place);
    if (known !== undefined && this.#chance(6)) {
      change["metadata"] = {
        resourceVersion: `\${${this.#pick(known)}:rv}`,
        annotations: { v: "1" },
      };
    }
    const options = { query: this.#writeQuery() };
    if (this.#chance(4))
      return this.#see(place, patch(place, ["json", this.#operations(change)], options));
    const type = this.#chance(2) ? "merge" : "strategic";
    return this.#see(place, patch(place, [type, change], options));
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

  #changeSubresource(kind: string, place: string): RequestStep {
    const names = findResource(kind).subresources.map((each) => each.name);
    const name = this.#pick(["status", ...names.filter((each) => each === "scale")]);
    const below = `${place}/${name}`;
    if (this.#chance(4)) return this.#see(below, get(below));
    const change: JsonObject =
      name === "scale"
        ? { spec: { replicas: this.#random.below(4) - 1 } }
        : this.#chance(2)
          ? { metadata: { ...this.#pick(metadataChanges) } }
          : { ...this.#pick(resources[kind]!) };
    return this.#see(below, patch(below, ["merge", change], { query: this.#writeQuery() }));
  }

  #remove(place: string): RequestStep {
    const known = this.#seen.get(place);
    let options = this.#pick(deleteOptions);
    if (known !== undefined && this.#chance(6)) {
      const step = this.#pick(known);
      options = { preconditions: { uid: `\${${step}:uid}`, resourceVersion: `\${${step}:rv}` } };
    }
    const query = this.#chance(15) ? { dryRun: "All" } : {};
    return this.#see(place, { ...del(place, options), query });
  }

  #removeMany(kind: string): RequestStep {
    const query = this.#ours(kind, this.#selectors());
    return { ...del(kind, this.#pick(deleteOptions)), id: this.#nextId(), query };
  }

  #list(kind: string): RequestStep {
    const id = this.#nextId();
    const query: Record<string, string> = { ...this.#selectors() };
    const isNamespaced = findResource(kind).scope === "Namespaced";
    // Cluster wide, whether a page is the last depends on what others have made.
    if (isNamespaced && this.#chance(3)) query["limit"] = String(1 + this.#random.below(2));
    if (this.#chance(4) && this.#lists.length > 0)
      query["continue"] = `\${${this.#pick(this.#lists)}:continue}`;
    if (this.#chance(5)) query["resourceVersion"] = this.#pick(["0", "1", "${start:rv}", "abc"]);
    if (this.#chance(8)) query["resourceVersionMatch"] = this.#pick(["Exact", "NotOlderThan", "x"]);
    if (query["limit"] !== undefined) this.#lists.push(id);
    return get(kind, { id, query: this.#ours(kind, query) });
  }

  /** Requests that make little sense. */
  #nonsense(kind: string, place: string): RequestStep {
    const text = JSON.stringify(this.#object(kind, { name: this.#nameOf(kind, "a") }));
    const cut = this.#random.below(text.length);
    const id = this.#nextId();
    const headers = { "content-type": this.#pick(contentTypes) };
    switch (this.#random.below(6)) {
      case 0:
        return post(kind, { text: text.slice(0, cut) }, { id });
      case 1:
        return post(
          kind,
          {
            text:
              text.slice(0, cut) +
              this.#pick(["}", "\\", '"', ",", "0", "[", "\u0000"]) +
              text.slice(cut + 1),
          },
          { id },
        );
      case 2:
        return { ...post(kind, { text }, { id, query: { dryRun: "All" } }), headers };
      case 3:
        return { ...patch(place, ["merge", this.#pick(wrongValues)], { id }), headers };
      case 4:
        return get(`${place}/${this.#pick(["nothing", "status", "scale", "a/b", ""])}`, { id });
      default:
        return { ...get(place, { id }), headers: { accept: this.#pick(acceptHeaders) } };
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

  #object(kind: string, metadata: JsonObject): JsonObject {
    const { group, version, kind: name } = findResource(kind);
    return {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind: name,
      ...sampleOf(kind),
      metadata,
    };
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

  #selectors(): Record<string, string> {
    return {
      ...(this.#chance(3) && { labelSelector: this.#pick(labelSelectors) }),
      ...(this.#chance(4) && { fieldSelector: this.#pick(fieldSelectors) }),
    };
  }

  /** Cluster wide, only what this sequence made: others run on the same server. */
  #ours(kind: string, query: Record<string, string>): Record<string, string> {
    if (findResource(kind).scope === "Namespaced") return query;
    const chosen = query["labelSelector"];
    return { ...query, labelSelector: chosen === undefined ? "of=${ns}" : `of=\${ns},${chosen}` };
  }

  #nameOf(kind: string, name: string): string {
    return findResource(kind).scope === "Namespaced" ? name : `\${ns}-${name}`;
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
