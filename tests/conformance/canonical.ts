/**
 * A recording in the form in which two servers, or one server on two days, can be compared: what a
 * server chooses by itself is renamed, everything else stays as it was answered.
 *
 * - Resource versions of objects become their rank in the scenario: `rv1`, `rv2`. A version of a list or
 *   a bookmark, which moves with what others write meanwhile, becomes the rank it has reached: `rv2+`.
 * - Uids become `uid1`, ... in order of appearance, generated names `PREFIX{1}`, allocated addresses
 *   and node ports `{ip1}`, `{port1}`. What the scenario itself sends is never renamed.
 * - Times near now become their form: `{time}`, with a fraction `{time.6}`. Continue tokens: `{continue}`,
 *   signed ones `{signed token}`.
 * - Ages in cells of tables become `{age}`: all in a column of ages, elsewhere those of seconds or years.
 * - Groups that scenarios define are left out of the lists of all groups and paths.
 * - Causes of an invalid custom resource and of conflicts stand in order: kube-apiserver walks maps, in no order at all.
 * - So do the lines of what does not fit a type when it is applied; of a field that the type does not
 *   know only that there is one, as the walk through that map ends there.
 * - Entries of managedFields stand by operation and manager; servers put them by time before that.
 * - Very long texts and lists become their length and digest.
 *
 * Left out, and counted: see `ignoredFields` and `ignoredHeaders`.
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
import type { RecordedStep, Recording } from "./recording.ts";
import {
  byManager,
  withoutAgeColumn,
  withoutAges,
  withoutChance,
  withoutForeignGroups,
  withoutRepeatedBookmarks,
  withSortedCauses,
} from "./without-chance.ts";

export interface CanonicalStep {
  readonly id: string;
  readonly answer: JsonObject;
}

export interface IgnoredField {
  readonly field: string;
  readonly reason: string;
}

/** Never compared, in any answer. */
export const ignoredFields: readonly IgnoredField[] = [
  {
    field: "build data in /version, serverAddress, etag values",
    reason: "of the build or machine",
  },
  { field: "bodies in YAML", reason: "compared as JSON by the same request without Accept" },
  {
    field: 'objects quoted in messages (Invalid value: "{...}")',
    reason: "hold versions and times",
  },
];

/** Headers that are compared; all others are transport (date, length, connection) or chance (audit-id). */
export const comparedHeaders: readonly string[] = [
  "allow",
  "cache-control",
  "content-type",
  "etag",
  "location",
  "retry-after",
  "warning",
  "www-authenticate",
];

/** Not written down where they have this value; `null` where they are not there at all. */
const usualHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-cache, private",
  "content-type": "application/json",
};

export const ignoredHeaders: readonly IgnoredField[] = [
  { field: "audit-id", reason: "random for every request" },
  { field: "date, content-length, transfer-encoding, connection", reason: "transport" },
  { field: "x-kubernetes-pf-*", reason: "uids of flow control objects" },
];

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?Z$/;
/** As a field, in a text too, or as the value of a JSON patch: no other number is a version. */
const sentVersion = /resourceVersion(?:\\?",\\?"value)?[\\": ]+(\d+)/g;
const serviceAddress = /\b10\.0\.0\.\d{1,3}\b/g;
const buildKeys = new Set([
  "buildDate",
  "compiler",
  "gitCommit",
  "gitTreeState",
  "goVersion",
  "platform",
]);
const longText = 1500;
const longList = 60;
const nearNow = 2n * 86_400_000_000_000n;

export function canonicalize(recording: Recording): CanonicalStep[] {
  const names = new Names(recording);
  return recording.steps.map((step) => ({ id: step.id, answer: names.step(step) }));
}

class Names {
  readonly #sent: string;
  readonly #sentUids: ReadonlySet<string>;
  readonly #sentTimes: ReadonlySet<string>;
  readonly #sentVersions: ReadonlySet<string>;
  readonly #namespace: string;
  readonly #now = BigInt(Math.trunc(realClock.now())) * 1_000_000n;
  /** Sorted, each once. */
  readonly #versions: bigint[];
  readonly #unordered: boolean;
  /** The request of the step at hand. */
  #asked = "";
  #said = "";
  readonly #uids = new Map<string, string>();
  /** Finds the names made from each generateName that the scenario sends. */
  readonly #prefixes: readonly { readonly prefix: string; readonly pattern: RegExp }[];
  readonly #generated = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #ports = new Map<string, string>();

  constructor({ sent, namespace, steps, unordered }: Recording) {
    this.#sent = sent;
    this.#namespace = namespace;
    this.#prefixes = prefixesIn(sent);
    this.#unordered = unordered;
    this.#sentUids = new Set(sent.match(uuid));
    this.#sentTimes = new Set(sent.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g));
    this.#sentVersions = new Set([...sent.matchAll(sentVersion)].map(([, version]) => version!));
    const versions = new Set<bigint>();
    for (const step of unordered ? [] : steps) {
      if (step.kind === "answer") this.#learn(step.body, versions);
      if (step.kind === "watch") {
        for (const event of step.events) {
          if (typeof event !== "object" || event === null) continue;
          if (ownKey(event as JsonObject, "type") === "BOOKMARK") continue;
          this.#learn(event, versions);
        }
      }
    }
    this.#versions = [...versions].sort((a, b) => (a < b ? -1 : 1));
  }

  step(step: RecordedStep): JsonObject {
    if (step.kind === "crowd") return { statuses: { ...step.statuses } };
    this.#asked = step.asked;
    this.#said = step.kind === "answer" ? step.said : "";
    const headers: JsonObject = {};
    for (const name of comparedHeaders) {
      const given = step.headers[name]?.map((each) => this.#text(each)).join(", ") ?? null;
      const value = name === "etag" && given !== null ? "{etag}" : given;
      if (value !== (usualHeaders[name] ?? null)) headers[name] = value;
    }
    const said = Object.keys(headers).length === 0 ? {} : { headers };
    if (step.kind === "watch") {
      const events = withoutRepeatedBookmarks(step.events.map((event) => this.#value(event, "")));
      return { status: step.status, ...said, events, end: step.end };
    }
    const isYaml = step.headers["content-type"]?.includes("application/yaml") === true;
    const value = isYaml ? "{yaml}" : step.body;
    const body = value === undefined ? {} : { body: this.#value(value, "") };
    return { status: step.status, ...said, ...body };
  }

  /** Gathers the versions of objects and the names that a server made from generateName. */
  #learn(value: JsonValue | undefined, versions: Set<bigint>): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value) this.#learn(each, versions);
      return;
    }
    const metadata = ownKey(value, "metadata");
    if (typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)) {
      const version = ownKey(metadata, "resourceVersion");
      const isObject = Object.hasOwn(metadata, "uid");
      const isNumber = typeof version === "string" && /^\d+$/.test(version);
      if (isObject && isNumber && !this.#sentVersions.has(version)) {
        versions.add(BigInt(version));
      }
    }
    for (const each of Object.values(value)) this.#learn(each, versions);
  }

  #value(value: JsonValue, key: string): JsonValue {
    if (typeof value === "string") return this.#named(value, key);
    if (typeof value === "number") return this.#port(value, key);
    if (Array.isArray(value)) {
      const items = withoutForeignGroups(value, key).map((each) => this.#value(each, key));
      if (items.length <= longList) return items;
      return [
        ...items.slice(0, 2),
        `{${items.length} items, digest ${digest(JSON.stringify(items))}}`,
      ];
    }
    if (typeof value !== "object" || value === null) return value;
    const renamed: JsonObject = {};
    for (const [name, each] of Object.entries(withoutAgeColumn(withSortedCauses(value)))) {
      const isReached = name === "resourceVersion" && !Object.hasOwn(value, "uid");
      const given = name === "managedFields" ? byManager(each) : each;
      setOwnKey(renamed, this.#text(name), this.#value(given, isReached ? "reachedVersion" : name));
    }
    return renamed;
  }

  #named(text: string, key: string): JsonValue {
    if (key === "resourceVersion" && /^\d+$/.test(text)) return this.#version(text);
    if (key === "reachedVersion" && /^\d+$/.test(text)) return this.#reached(text);
    if (key === "continue" && text !== "") return "{continue}";
    if (key === "serverAddress") return "{address}";
    if (buildKeys.has(key) && this.#asked.includes(" /version")) return "{build}";
    const fraction = time.exec(text);
    if (fraction !== null && this.#isNearNow(text)) {
      return fraction[1] === undefined ? "{time}" : `{time.${fraction[1].length}}`;
    }
    return key === "cells" ? withoutAges(this.#text(text)) : this.#text(text);
  }

  #version(text: string): string {
    if (this.#unordered) return "rv";
    const version = BigInt(text);
    const below = this.#versions.findLastIndex((each) => each <= version);
    if (this.#versions[below] === version) return `rv${below + 1}`;
    return this.#reached(text);
  }

  /**
   * Exact only where the request asked for exactly this version. Where it asked for any, or one that
   * is not older, how fresh the answer is was the server's choice.
   */
  #reached(text: string): string {
    if (this.#unordered || isFresh(this.#asked)) return "rv+";
    const version = BigInt(text);
    if (version === 0n || this.#sentVersions.has(text)) return text;
    const below = this.#versions.findLastIndex((each) => each <= version) + 1;
    return this.#asked.includes(`resourceVersion=${text}`) ? `rv${below}` : `rv${below}+`;
  }

  #isNearNow(text: string): boolean {
    if (this.#sentTimes.has(text)) return false;
    const away = parseTime(text.replace(/\.\d+Z$/, "Z")) - this.#now;
    return away < nearNow && away > -nearNow;
  }

  #port(value: number, key: string): JsonValue {
    // Of the API server's own service: where this one listens.
    if (key === "targetPort" && value > 1024 && !this.#sent.includes(String(value)))
      return "{port}";
    const isPort = key === "nodePort" || key === "healthCheckNodePort";
    if (!isPort || value < 30_000 || value > 32_767) return value;
    const name = this.#chosen(this.#ports, String(value), "port");
    return name === String(value) ? value : name;
  }

  /** The network address and the API server's own are no choice. */
  #address(text: string): string {
    if (text === "10.0.0.0" || text === "10.0.0.1") return text;
    return this.#chosen(this.#addresses, text, "ip");
  }

  /** What an answer is the first to tell was chosen by the server, unless its request said so. */
  #chosen(known: Map<string, string>, text: string, word: string): string {
    const before = known.get(text);
    if (before !== undefined) return before;
    const count = [...known.values()].filter((name) => name.startsWith("{")).length;
    const name = this.#said.includes(text) ? text : `{${word}${count + 1}}`;
    known.set(text, name);
    return name;
  }

  #text(text: string): string {
    // kube-apiserver numbers the types of its expressions at random.
    let renamed = text.replaceAll(this.#namespace, "{ns}").replaceAll(/\bselfType\d+/g, "selfType");
    for (const { prefix, pattern } of this.#prefixes) {
      renamed = renamed.replaceAll(pattern, (name) =>
        nameFor(this.#generated, name, (n) => `${prefix}{${n}}`),
      );
    }
    renamed = renamed.replaceAll(uuid, (found) =>
      this.#sentUids.has(found) ? found : nameFor(this.#uids, found, (n) => `uid${n}`),
    );
    renamed = renamed.replaceAll(serviceAddress, (found) => this.#address(found));
    // Versions and whole objects that messages quote.
    renamed = renamed
      .replace(
        /(typed (?:patch )?object \([^)]*\): )(.*)$/s,
        (_all, before: string, why: string) => `${before}${withoutChance(why)}`,
      )
      .replaceAll(/X509SHA256=[0-9a-f]{64}/g, "X509SHA256={digest}")
      .replaceAll(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g, "{signed token}")
      .replaceAll(/Invalid value: "\{(?:[^"\\]|\\.)*\}"/g, 'Invalid value: "{object}"')
      .replaceAll(/(too old resource version: \d+ )\(\d+\)/g, "$1({rv})")
      .replaceAll(/(Too large resource version: \d+, current: )\d+/g, "$1{rv}")
      .replaceAll(
        /( resourceVersion:|ResourceVersion in precondition: |ResourceVersion in object meta: |ResourceVersion in (?:record|the precondition) \()(\d+)/g,
        (_all, before: string, version: string) => before + this.#version(version),
      );
    if (renamed.length <= longText) return renamed;
    return `${renamed.slice(0, 100)}{${renamed.length} characters, digest ${digest(renamed)}}`;
  }
}

/** Whether a request is content with anything, or anything not older than a version. */
function isFresh(asked: string): boolean {
  if (asked.includes("watch=")) return false;
  if (/[?&]resourceVersion=0(?:&|$)|=NotOlderThan/.test(asked)) return true;
  return /[?&]resourceVersion=\d/.test(asked) && !/[?&]limit=|=Exact/.test(asked);
}

/** A server adds five characters of an alphabet without vowels and look-alikes. */
function prefixesIn(sent: string): { prefix: string; pattern: RegExp }[] {
  const found = [...sent.matchAll(/"generateName":"([^"\\]+)"/g)].map(([, prefix = ""]) =>
    prefix.replaceAll("${ns}", "{ns}").slice(0, 58),
  );
  // Of the volume that a pod's token is in.
  found.push("kube-api-access-");
  return [...new Set(found)].map((prefix) => {
    const literal = prefix.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return {
      prefix,
      pattern: new RegExp(`${literal}[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9-])`, "g"),
    };
  });
}

function nameFor<Key>(known: Map<Key, string>, key: Key, print: (n: number) => string): string {
  const name = known.get(key) ?? print(known.size + 1);
  known.set(key, name);
  return name;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
