import type { JsonObject, JsonValue } from "@homeostat/object-model";

/** Words that YAML reads as something else than a text, in the forms that it has for each. */
const RESERVED = /^(?:|~|null|true|false|yes|no|on|off|y|n|\.nan|[-+]?\.inf|<<|=)$/i;
const LIKE_A_NUMBER = /^[-+]?[.0-9]/;
/** Letters begin it, and nothing in it or at its end means anything to YAML. */
const PLAIN = /^[A-Za-z$/_.](?:[^\s:#\p{C}]| (?=[^#\s])|:(?=[^\s]))*$/u;
const UNPRINTABLE = /\p{C}/u;

/** A value in YAML's block style, a line break behind it, as Go writes it. */
export function blockYaml(value: JsonValue): string {
  return `${isBlock(value) ? linesOf(value).join("\n") : scalar(value)}\n`;
}

function isBlock(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function linesOf(value: JsonObject | JsonValue[]): string[] {
  return Array.isArray(value) ? value.flatMap(itemLines) : Object.entries(value).flatMap(pairLines);
}

/** The first line stands behind the dash, the others below it. */
function itemLines(item: JsonValue): string[] {
  if (!isBlock(item)) return [`- ${scalar(item)}`];
  return linesOf(item).map((line, at) => `${at === 0 ? "- " : "  "}${line}`);
}

function pairLines([key, value]: [string, JsonValue]): string[] {
  if (!isBlock(value)) return [`${scalar(key)}: ${scalar(value)}`];
  return [`${scalar(key)}:`, ...linesOf(value).map((line) => `    ${line}`)];
}

/** Also what is empty. */
function scalar(value: JsonValue): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (RESERVED.test(value) || LIKE_A_NUMBER.test(value) || UNPRINTABLE.test(value)) {
    return JSON.stringify(value);
  }
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
}
