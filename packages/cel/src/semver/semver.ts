/**
 * Semantic versions as Kubernetes' CEL library reads them: strict (`1.2.3-rc.1+build`), or first
 * normalized (`v1`, `01.2`). Numbers are unsigned 64-bit. Build metadata is checked and then has no
 * part in comparisons.
 */
import { utf8Length } from "../text/byte-text.ts";
import { goQuote } from "../text/go-quote.ts";

export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numbers where the identifier is numeric. */
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

export class SemverError extends Error {
  readonly code = "CEL_SEMVER_PARSE";
  override readonly name = "SemverError";
}

/** Throws {@link SemverError}. */
export function parseSemver(text: string): Semver {
  if (text === "") throw new SemverError("Version string empty");
  const parts = splitAtDots(text);
  const [majorText = "", minorText = "", rest] = parts;
  if (rest === undefined) throw new SemverError("No Major.Minor.Patch elements found");
  const major = readNumber("Major", majorText);
  const minor = readNumber("Minor", minorText);
  const [untilBuild, build] = cut(rest, "+");
  const [patchText, prerelease] = cut(untilBuild, "-");
  return {
    major,
    minor,
    patch: readNumber("Patch", patchText),
    prerelease: prerelease === undefined ? [] : prerelease.split(".").map(readPrerelease),
    build: build === undefined ? [] : build.split(".").map(readBuild),
  };
}

/** Without a leading `v`, missing numbers taken as 0, leading zeros dropped; then strict. */
export function parseNormalizedSemver(text: string): Semver {
  const parts = splitAtDots(text.startsWith("v") ? text.slice(1) : text).map(withoutLeadingZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) {
    throw new SemverError("short version cannot contain PreRelease/Build meta data");
  }
  while (parts.length < 3) parts.push("0");
  return parseSemver(parts.join("."));
}

export function printSemver({ major, minor, patch, prerelease, build }: Semver): string {
  const before = prerelease.length === 0 ? "" : `-${prerelease.join(".")}`;
  const behind = build.length === 0 ? "" : `+${build.join(".")}`;
  return `${major}.${minor}.${patch}${before}${behind}`;
}

export function compareSemver(a: Semver, b: Semver): -1 | 0 | 1 {
  return (
    compare(a.major, b.major) ||
    compare(a.minor, b.minor) ||
    compare(a.patch, b.patch) ||
    comparePrerelease(a.prerelease, b.prerelease)
  );
}

/** A version without prerelease comes after those that have one; numbers come before words. */
function comparePrerelease(
  a: readonly (bigint | string)[],
  b: readonly (bigint | string)[],
): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return compare(b.length, a.length);
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order =
      typeof left === typeof right ? compare(left, right) : typeof left === "bigint" ? -1 : 1;
    if (order !== 0) return order;
  }
  return compare(a.length, b.length);
}

function compare<T extends bigint | number | string>(a: T, b: T): -1 | 0 | 1 {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** At most three parts. */
function splitAtDots(text: string): string[] {
  const [major, rest] = cut(text, ".");
  if (rest === undefined) return [major];
  const [minor, patch] = cut(rest, ".");
  return patch === undefined ? [major, minor] : [major, minor, patch];
}

function withoutLeadingZeros(part: string): string {
  if (utf8Length(part) <= 1) return part;
  const trimmed = part.replace(/^0+/, "");
  return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
}

function cut(text: string, mark: string): [string, string | undefined] {
  const index = text.indexOf(mark);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function readNumber(place: "Major" | "Minor" | "Patch", text: string): bigint {
  if (!/^[0-9]*$/.test(text)) {
    const found = `Invalid character(s) found in ${place.toLowerCase()} number`;
    throw new SemverError(`${found} ${goQuote(text)}`);
  }
  if (hasLeadingZeros(text)) {
    throw new SemverError(`${place} number must not contain leading zeroes ${goQuote(text)}`);
  }
  return readUint64(text);
}

function readPrerelease(text: string): bigint | string {
  if (text === "") throw new SemverError("Prerelease is empty");
  if (!/^[0-9]+$/.test(text)) {
    if (/^[0-9a-zA-Z-]+$/.test(text)) return text;
    throw new SemverError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  }
  if (hasLeadingZeros(text)) {
    const rule = "Numeric PreRelease version must not contain leading zeroes";
    throw new SemverError(`${rule} ${goQuote(text)}`);
  }
  return readUint64(text);
}

function readBuild(text: string): string {
  if (text === "") throw new SemverError("Build meta data is empty");
  if (!/^[0-9a-zA-Z-]+$/.test(text)) {
    throw new SemverError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
  }
  return text;
}

function hasLeadingZeros(text: string): boolean {
  return text.length > 1 && text.startsWith("0");
}

function readUint64(text: string): bigint {
  const problem = (what: string): SemverError =>
    new SemverError(`strconv.ParseUint: parsing ${goQuote(text)}: ${what}`);
  if (text === "") throw problem("invalid syntax");
  // Long digit rows are refused before BigInt, which is not linear in them.
  const value = text.length > 20 ? MAX_UINT64 + 1n : BigInt(text);
  if (value > MAX_UINT64) throw problem("value out of range");
  return value;
}

const MAX_UINT64 = 2n ** 64n - 1n;
