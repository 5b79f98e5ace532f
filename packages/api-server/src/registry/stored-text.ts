import { encodeJson, type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { fieldsV1Text } from "@homeostat/schema";

/** Texts that are written as they are: most of what metadata holds. */
const PLAIN = /^[\w./: -]*$/;

/** Names that nearly every object writes, as they are written. */
const NAMES: ReadonlyMap<string, string> = new Map(
  (
    "kind apiVersion metadata name namespace uid generation creationTimestamp labels annotations " +
    "managedFields manager operation time fieldsType fieldsV1 subresource"
  )
    .split(" ")
    .map((name) => [name, `"${name}":`]),
);

/**
 * The JSON of one object while it is written, and where the sets of its managers stand in it. Places
 * count characters.
 */
export class StoredText {
  readonly #known: ReadonlyMap<JsonValue, string> | undefined;
  #text = "{";
  #separator = "";
  /** Where each set begins and ends, one after the other. */
  readonly sets: number[] = [];

  /** `known`: texts of values that were written before. */
  constructor(known?: ReadonlyMap<JsonValue, string>) {
    this.#known = known;
  }

  get text(): string {
    return this.#text;
  }

  /** Where the next text goes. */
  get end(): number {
    return this.#text.length;
  }

  /** Those members of an object that are there. */
  add(object: JsonObject, names: readonly string[]): void {
    for (const name of names) {
      const value = ownKey(object, name);
      if (value !== undefined) this.addMember(name, value);
    }
  }

  /** A member; gives the place where its value begins. */
  addMember(name: string, value: JsonValue): number {
    return this.#write(name, this.#known?.get(value) ?? memberText(value));
  }

  /** As {@link add}, of metadata, whose sets are often shared, and have their texts already. */
  addMetadata(metadata: JsonObject, names: readonly string[]): void {
    for (const name of names) {
      const value = metadata[name];
      if (value === undefined) continue;
      if (name === "managedFields" && Array.isArray(value)) this.#addEntries(value);
      else this.addMember(name, value);
    }
  }

  /** A member by the text of its value; gives the place where that begins. */
  #write(name: string, value: string): number {
    this.#open(name);
    const begin = this.end;
    this.#text += value;
    return begin;
  }

  /** Everything up to {@link leave} is inside of this member. */
  enter(name: string): void {
    this.#open(name);
    this.#text += "{";
    this.#separator = "";
  }

  leave(): void {
    this.#text += "}";
    this.#separator = ",";
  }

  #open(name: string): void {
    this.#text += this.#separator + (NAMES.get(name) ?? `${memberText(name)}:`);
    this.#separator = ",";
  }

  #addEntries(entries: readonly JsonValue[]): void {
    this.#open("managedFields");
    this.#text += "[";
    for (let at = 0; at < entries.length; at++) {
      this.#text += at === 0 ? "{" : ",{";
      this.#separator = "";
      this.#addEntry(entries[at] as JsonObject);
      this.#text += "}";
    }
    this.#text += "]";
    this.#separator = ",";
  }

  #addEntry(entry: JsonObject): void {
    for (const name of Object.keys(entry)) {
      const value = entry[name];
      if (value === undefined) continue;
      const isSet = name === "fieldsV1" && typeof value === "object" && value !== null;
      if (!isSet) this.addMember(name, value);
      else {
        const begin = this.#write(name, this.#known?.get(value) ?? fieldsV1Text(value));
        this.sets.push(begin, this.end);
      }
    }
  }
}

function memberText(value: JsonValue): string {
  return typeof value === "string" && PLAIN.test(value) ? `"${value}"` : encodeJson(value);
}
