/** Spans of a tape in the formats of protobuf. Messages are written without their lengths. */
import { parseDuration, parseTime } from "@homeostat/object-model";
import type { JsonTape } from "./json-tape.ts";
import type { WireWriter } from "./wire-writer.ts";

const SECOND = 1_000_000_000n;
const PRINTED_TIME = "2026-01-02T03:04:05Z".length;
const PRINTED_DATE = "2026-01-02".length;
const LETTER_Z = 0x5a;
const DIGIT_0 = 0x30;

/** The text of a span, behind its length. */
export function writeText(writer: WireWriter, tape: JsonTape, span: number): void {
  const { words, bytes } = tape;
  const end = words[span + 1]!;
  if (end >= 0) writer.slice(bytes, words[span]!, end);
  else writer.text(tape.textOf(span));
}

/** Which of both it is, the number and the text. */
export function writeIntOrString(writer: WireWriter, tape: JsonTape, value: number): void {
  const isText = tape.isText(value);
  if (isText) writeText(writer, tape, value);
  else writer.byte(0);
  writer.byte(0x1a);
  writer.integer(isText ? 0 : tape.integerOf(value));
  writer.byte(0x10);
  writer.byte(isText ? 1 : 0);
  writer.byte(0x08);
}

/** A quantity in its text, or JSON as it is. */
export function writeRaw(writer: WireWriter, tape: JsonTape, value: number): void {
  writer.slice(tape.bytes, tape.words[value]!, tape.words[value + 1]!);
  writer.byte(0x0a);
}

export function writeDuration(writer: WireWriter, tape: JsonTape, value: number): void {
  writer.integer(parseDuration(tape.textOf(value)));
  writer.byte(0x08);
}

/** Seconds since 1970, rounded down, and what is left of a second. */
export function writeTime(writer: WireWriter, tape: JsonTape, value: number): void {
  const begin = tape.words[value]!;
  let seconds = secondsOfTime(tape.bytes, begin, tape.words[value + 1]!);
  let nanoseconds = 0;
  if (seconds === undefined) {
    const instant = parseTime(tape.textOf(value));
    const rest = ((instant % SECOND) + SECOND) % SECOND;
    seconds = Number((instant - rest) / SECOND);
    nanoseconds = Number(rest);
  }
  writer.integer(nanoseconds);
  writer.byte(0x10);
  writer.integer(seconds);
  writer.byte(0x08);
}

/** `2026-01-02T03:04:05Z`, as times are printed; undefined for any other text. */
function secondsOfTime(bytes: Buffer, begin: number, end: number): number | undefined {
  if (end - begin !== PRINTED_TIME || bytes[end - 1] !== LETTER_Z) return undefined;
  const date = digits(bytes, begin, 4) * 10_000 + digits(bytes, begin + 5, 2) * 100;
  const midnight = midnightOf(date + digits(bytes, begin + 8, 2), bytes, begin);
  const minutes = digits(bytes, begin + 11, 2) * 60 + digits(bytes, begin + 14, 2);
  return midnight + minutes * 60 + digits(bytes, begin + 17, 2);
}

/** The seconds at which days begin, by dates such as 20260102: most times are of a few days. */
const midnights = new Map<number, number>();
const MAX_MIDNIGHTS = 1_000;

function midnightOf(date: number, bytes: Buffer, begin: number): number {
  let seconds = midnights.get(date);
  if (seconds === undefined) {
    const text = bytes.toString("latin1", begin, begin + PRINTED_DATE);
    seconds = Number(parseTime(`${text}T00:00:00Z`) / SECOND);
    if (midnights.size >= MAX_MIDNIGHTS) midnights.clear();
    midnights.set(date, seconds);
  }
  return seconds;
}

function digits(bytes: Buffer, begin: number, count: number): number {
  let value = 0;
  for (let at = begin; at < begin + count; at++) value = value * 10 + bytes[at]! - DIGIT_0;
  return value;
}
