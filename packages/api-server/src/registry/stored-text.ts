import { encodeJson, type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { fieldsV1Text } from "@homeostat/schema";

/** Texts that are written as they are: most of what metadata holds. */
const PLAIN = /^[\w./: -]*$/;

/**
 * The JSON of one object while it is written, and where the sets of its managers stand in it. Places
 * count characters.
 */
export class StoredText {
  #text = "{";
  #separator = "";
  /** Where each set begins and ends, one after the other. */
  readonly sets: number[] = [];

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
      if (value !== undefined) this.write(name, memberText(value));
    }
  }

  /** The same of metadata, whose sets are often shared, and have their texts already. */
  addMetadata(metadata: JsonObject, names: readonly string[]): void {
    for (const name of names) {
      const value = metadata[name];
      if (value === undefined) continue;
      if (name === "managedFields" && Array.isArray(value)) this.#addEntries(value);
      else this.write(name, memberText(value));
    }
  }

  /** A member by the text of its value; gives the place where that begins. */
  write(name: string, value: string): number {
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
    this.#text += `${this.#separator}${memberText(name)}:`;
    this.#separator = ",";
  }

  #addEntries(entries: readonly JsonValue[]): void {
    this.#open("managedFields");
    this.#text += "[";
    for (const [at, entry] of entries.entries()) {
      this.#text += at === 0 ? "{" : ",{";
      this.#separator = "";
      this.#addEntry(entry as JsonObject);
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
      const begin = this.write(name, isSet ? fieldsV1Text(value) : memberText(value));
      if (isSet) this.sets.push(begin, this.end);
    }
  }
}

function memberText(value: JsonValue): string {
  return typeof value === "string" && PLAIN.test(value) ? `"${value}"` : encodeJson(value);
}
