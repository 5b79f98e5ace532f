/**
 * The answers of a kind as short texts, for fixtures. Longer texts are kept once, under a digest.
 *
 * - `201`: accepted, and the server changed of what it was sent the same as of the bare variant;
 *   `201 +DIGEST -DIGEST`: one change more, one less (see object-changes.ts).
 * - `422 FIELD:CAUSE FIELD:CAUSE`: refused for these causes, the rest of the Status follows from them.
 * - `400 =DIGEST`: this body.
 * - `~DIGEST`: a warning; accepted without any, the warnings are those of the bare variant; `~`: none.
 * - `@DIGEST`: of the managed fields.
 * - `?`: the order of causes is chance.
 */
import { createHash } from "node:crypto";
import { type JsonObject, type JsonValue } from "@homeostat/object-model";
import type { Answer } from "./answer.ts";
import type { AskedProbe } from "./ask-probes.ts";
import { applyChanges, changesBetween, sameJson } from "./object-changes.ts";
import type { Probe } from "./probe.ts";
import { type Cause, causesOf, refusal } from "./refusal.ts";
import { isObject } from "./walk-fields.ts";

export interface PackedKind {
  /** Digest -> text. */
  readonly texts: ReadonlyMap<string, string>;
  /** In the order of the probes. */
  readonly answers: readonly { readonly probe: Probe; readonly packed: string }[];
}

/** What was asked when an answer is to be read again. */
export interface SentProbe {
  readonly probe: Probe;
  readonly sent: JsonObject;
}

/** The end of a message that says what a value has to be, which many messages share. */
const ruleAtEnd =
  /^(.+?)((?:a lowercase|a valid|a DNS-1035|an RFC|name part|prefix part|must|may|supported values|should|only|exactly).{30,})$/s;

export class AnswerPacker {
  readonly #texts = new Map<string, string>();
  readonly #bases = new Map<string, readonly string[]>();
  readonly #warnings = new Map<string, string>();

  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** The bare variant has to come before its probes. */
  pack(asked: AskedProbe): string {
    const { answer } = asked;
    const parts = [String(answer.status), ...this.#bodyOf(asked)];
    parts.push(...this.#warningsOf(asked));
    if (answer.managers !== undefined) parts.push(`@${answer.managers}`);
    if (answer.unordered === true) parts.push("?");
    return parts.join(" ");
  }

  #warningsOf({ probe, answer: { status, warnings } }: AskedProbe): string[] {
    const kept = warnings.map((warning) => `~${this.#keep(warning)}`);
    if (status >= 300) return kept;
    const place = placeOf(probe);
    if (probe.mutation === "base") this.#warnings.set(place, kept.join(" "));
    else if (this.#warnings.get(place) === kept.join(" ")) return [];
    return kept.length === 0 && probe.mutation !== "base" ? ["~"] : kept;
  }

  #bodyOf({ probe, sent, answer }: AskedProbe): string[] {
    const { body, status } = answer;
    const causes = causesOf(body);
    if (causes !== undefined && sameJson(body, refusal(sent, causes))) {
      return causes.map(
        ({ field, reason, message }) =>
          `${this.#keep(field)}:${this.#keep(`${reason} ${message}`)}`,
      );
    }
    if (status >= 300 || !isObject(body)) return [`=${this.#keep(JSON.stringify(body))}`];
    const changes = changesBetween(sent, body);
    const place = placeOf(probe);
    if (probe.mutation === "base") this.#bases.set(place, changes);
    const base = new Set(probe.mutation === "base" ? [] : this.#bases.get(place));
    const own = new Set(changes);
    return [
      ...changes.filter((each) => !base.has(each)).map((each) => `+${this.#keep(each)}`),
      ...[...base].filter((each) => !own.has(each)).map((each) => `-${this.#keep(each)}`),
    ];
  }

  #keep(text: string): string {
    const key = createHash("sha256").update(text).digest("base64url").slice(0, 5);
    const [, head, rule] = ruleAtEnd.exec(text) ?? [];
    const isSplit = head !== undefined && rule !== undefined;
    const short = isSplit ? `${shorten(head)}<<${this.#keep(rule)}>>` : shorten(text);
    const known = this.#texts.get(key);
    if (known !== undefined && known !== short) throw new Error(`digest ${key} is of two texts`);
    this.#texts.set(key, short);
    return key;
  }
}

export class AnswerUnpacker {
  readonly #texts: ReadonlyMap<string, string>;
  /** Answers to the bare variants. */
  readonly #packedBases: ReadonlyMap<string, string>;

  constructor({ texts, answers }: PackedKind) {
    this.#texts = texts;
    const bases = answers.filter(({ probe }) => probe.mutation === "base");
    this.#packedBases = new Map(bases.map(({ probe, packed }) => [placeOf(probe), packed]));
  }

  unpack({ probe, sent }: SentProbe, packed: string): Answer {
    const [code = "", ...parts] = packed.split(" ");
    const status = Number(code);
    const warnings = this.#warnings(probe, { status, parts });
    const unordered = parts.includes("?") && ({ unordered: true } as const);
    const body = this.#body({ probe, sent }, { status, parts, packed });
    const managers = parts.find((part) => part.startsWith("@"))?.slice(1);
    return { status, warnings, body, ...(managers !== undefined && { managers }), ...unordered };
  }

  #warnings(
    probe: Probe,
    { status, parts }: { status: number; parts: readonly string[] },
  ): string[] {
    const base = status < 300 ? this.#packedBases.get(placeOf(probe)) : undefined;
    const own = parts.some((part) => part.startsWith("~"));
    const chosen = own ? parts : (base?.split(" ") ?? []);
    return this.#marked(
      chosen.filter((part) => part !== "~"),
      "~",
    );
  }

  #body(
    { probe, sent }: SentProbe,
    { status, parts, packed }: { status: number; parts: readonly string[]; packed: string },
  ): JsonValue {
    const whole = parts.find((part) => part.startsWith("="));
    if (whole !== undefined) return JSON.parse(this.#text(whole.slice(1))) as JsonValue;
    if (status >= 300) {
      const causes = parts.filter((part) => /^[\w-]+:/.test(part)).map((part) => this.#cause(part));
      return refusal(sent, causes);
    }
    const base =
      probe.mutation === "base" ? [] : this.#added(this.#packedBases.get(placeOf(probe)) ?? "");
    const gone = new Set(this.#marked(parts, "-"));
    return applyChanges(sent, [...base.filter((each) => !gone.has(each)), ...this.#added(packed)]);
  }

  #cause(part: string): Cause {
    const [field = "", cause = ""] = part.split(":").map((each) => this.#text(each));
    const space = cause.indexOf(" ");
    return { field, reason: cause.slice(0, space), message: cause.slice(space + 1) };
  }

  #added(packed: string): string[] {
    return this.#marked(packed.split(" "), "+");
  }

  #marked(parts: readonly string[], mark: string): string[] {
    return parts.filter((part) => part.startsWith(mark)).map((part) => this.#text(part.slice(1)));
  }

  #text(key: string): string {
    const text = this.#texts.get(key);
    if (text === undefined) throw new Error(`the fixture has no text ${key}`);
    const [, head, rule] = /^(.*)<<([\w-]{5})>>$/s.exec(text) ?? [];
    if (head === undefined || rule === undefined) return lengthen(text);
    return lengthen(head) + this.#text(rule);
  }
}

function placeOf({ variant, operation }: Probe): string {
  return `${variant} ${operation}`;
}

/** Long runs of one character: `aaaa...` -> `<a*254>`, as probes are full of them. */
function shorten(text: string): string {
  return text.replaceAll(/([\w])\1{19,}/g, (run, each: string) => `<${each}*${run.length}>`);
}

function lengthen(text: string): string {
  return text.replaceAll(/<(\w)\*(\d+)>/g, (_all, each: string, count: string) =>
    each.repeat(Number(count)),
  );
}
