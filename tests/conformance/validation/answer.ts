/**
 * An answer in the form in which two servers can be compared: what a server chooses by itself (uids,
 * versions, times of now, addresses, ports) is renamed unless the probe said it.
 */
import { createHash } from "node:crypto";
import { realClock } from "@homeostat/concurrency";
import {
  type JsonObject,
  type JsonValue,
  ownKey,
  parseTime,
  setOwnKey,
} from "@homeostat/object-model";
import { isObject, textOf } from "./walk-fields.ts";

export interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: JsonValue;
  /** Digest of metadata.managedFields, which `body` leaves out: they would be most of a fixture. */
  readonly managers?: string;
  /** Known only of answers that were not recorded. */
  readonly managedFields?: JsonValue;
  /** kube-apiserver gives the causes in an order that changes from request to request. */
  readonly unordered?: true;
}

export interface RenameOptions {
  /** What the probe sends, as text, before anything of a server is filled in. */
  readonly said: () => string;
  /** The prefix from which the server makes a name; "" where it has to make none. */
  readonly generateName: string;
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const goTime = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4} \w+(?: m=\S+)?/g;
const serviceAddress = /\b10\.0\.0\.\d{1,3}\b/g;
const nearNow = 86_400_000_000_000n;

export function rename(value: JsonValue, options: RenameOptions): JsonValue {
  return new Renaming(options).value(value, "");
}

/** The program that sends the probes; as whose it manages what it writes. */
export const probingManager = "probes";

/**
 * The managed fields of an object that a server answered, renamed; nothing where it has none. Those
 * of others are left out: kube-apiserver has controllers that write to some objects by themselves.
 */
export function managersOf(
  body: JsonValue,
  options: RenameOptions,
): Pick<Answer, "managedFields" | "managers"> {
  const metadata = isObject(body) ? ownKey(body, "metadata") : undefined;
  const fields = isObject(metadata) ? ownKey(metadata, "managedFields") : undefined;
  if (!Array.isArray(fields)) return {};
  const own = fields.filter((entry) => textOf(entry, "manager") === probingManager);
  // Servers sort them by time, in which a second may or may not have passed.
  const managedFields = own.map((entry) => rename(entry, options)).toSorted(byText);
  const digest = createHash("sha256").update(JSON.stringify(managedFields)).digest("base64url");
  return { managedFields, managers: digest.slice(0, 6) };
}

/** kube-apiserver tells what a user may do in an order of chance. */
const RULES_OF_USER: ReadonlySet<string> = new Set(["nonResourceRules", "resourceRules"]);

function byText(left: JsonValue, right: JsonValue): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

class Renaming {
  readonly #said: () => string;
  /** Names that the server made: five characters of an alphabet without vowels and look-alikes. */
  readonly #generated: RegExp | undefined;
  readonly #now = BigInt(Math.trunc(realClock.now())) * 1_000_000n;

  constructor({ said, generateName }: RenameOptions) {
    this.#said = said;
    if (generateName === "") return;
    const prefix = generateName.slice(0, 58).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    this.#generated = new RegExp(`(${prefix})[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])`, "g");
  }

  value(value: JsonValue, key: string): JsonValue {
    if (typeof value === "string") return this.#text(value, key);
    if (typeof value === "number") return this.#port(value, key);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const list = value.map((each) => this.value(each, key));
      return RULES_OF_USER.has(key) ? list.toSorted(byText) : list;
    }
    const renamed: JsonObject = {};
    for (const [name, each] of Object.entries(value)) {
      if (name === "managedFields" && key === "metadata") continue;
      setOwnKey(renamed, name, this.value(each, name));
    }
    return renamed;
  }

  #port(value: number, key: string): JsonValue {
    const isPort = key === "nodePort" || key === "healthCheckNodePort";
    if (!isPort || value < 30_000 || value > 32_767) return value;
    return this.#isSaid(String(value)) ? value : "{port}";
  }

  #text(given: string, key: string): string {
    const text =
      this.#generated === undefined ? given : given.replaceAll(this.#generated, "$1{name}");
    if (key === "resourceVersion" && /^\d+$/.test(text)) {
      return this.#said().includes(`"resourceVersion":"${text}"`) ? text : "{rv}";
    }
    // Whatever is renamed holds digits.
    if (text.length < 7 || !/\d/.test(text)) return text;
    return text
      .replaceAll(uuid, (found) => (this.#isSaid(found) ? found : "{uid}"))
      .replaceAll(time, (found) => (this.#isNow(found) ? "{time}" : found))
      .replaceAll(goTime, (found) => (this.#isNow(isoOf(found)) ? "{time}" : found))
      .replaceAll(serviceAddress, (found) => (this.#isSaid(found) ? found : "{ip}"))
      .replaceAll(/X509SHA256=[0-9a-f]{64}/g, "X509SHA256={digest}")
      .replaceAll(/\b0xc[0-9a-f]{6,}\b/g, "{pointer}");
  }

  /** Not as a part of a longer number or address. */
  #isSaid(text: string): boolean {
    const said = this.#said();
    for (let at = said.indexOf(text); at >= 0; at = said.indexOf(text, at + 1)) {
      if (!/\d/.test(said.charAt(at - 1)) && !/\d/.test(said.charAt(at + text.length))) return true;
    }
    return false;
  }

  #isNow(text: string): boolean {
    if (this.#said().includes(text)) return false;
    const away = parseTime(text.replace(/\.\d+Z$/, "Z")) - this.#now;
    return away < nearNow && away > -nearNow;
  }
}

/** `2026-01-02 03:04:05.6 +0000 UTC m=+1` -> `2026-01-02T03:04:05Z` */
function isoOf(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;
}
