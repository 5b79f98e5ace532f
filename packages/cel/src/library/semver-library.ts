import { BOOL, INT, opaque, STRING, type Type } from "../expression-types/type.ts";
import {
  compareSemver,
  parseNormalizedSemver,
  parseSemver,
  printSemver,
  type Semver,
  SemverError,
} from "../semver/semver.ts";
import { withoutStacks } from "../text/without-stacks.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import type { OpaqueValue, Value } from "../values/value.ts";
import { textAt } from "./call-arguments.ts";
import { READS_TEXT } from "./call-costs.ts";
import type { FunctionDeclaration, Library } from "./library.ts";

const SEMVER_TYPE: Type = opaque("kubernetes.Semver");

/** Equal without regard to build metadata. */
class SemverValue implements OpaqueValue {
  readonly celType: Type = SEMVER_TYPE;
  readonly version: Semver;

  constructor(version: Semver) {
    this.version = version;
  }

  equals(other: Value): boolean | Failure {
    if (!(other instanceof SemverValue)) return NO_SUCH_OVERLOAD;
    return compareSemver(this.version, other.version) === 0;
  }

  toString(): string {
    return printSemver(this.version);
  }
}

/** `semver('1.2.3').isLessThan(semver('v2', true))`: the flag allows `v`, missing numbers, zeros. */
export const SEMVER_LIBRARY: Library = {
  name: "kubernetes.Semver",
  functions: [
    {
      name: "semver",
      overloads: [
        {
          id: "string_to_semver",
          member: false,
          params: [STRING],
          result: SEMVER_TYPE,
          call: (args) => toSemver(textAt(args, 0)),
          ...READS_TEXT,
        },
        {
          id: "string_bool_to_semver",
          member: false,
          params: [STRING, BOOL],
          result: SEMVER_TYPE,
          call: (args) => toSemver(textAt(args, 0), { normalize: args[1] === true }),
          ...READS_TEXT,
        },
      ],
    },
    {
      name: "isSemver",
      overloads: [
        {
          id: "is_semver_string",
          member: false,
          params: [STRING],
          result: BOOL,
          call: (args) => toSemver(textAt(args, 0)) instanceof SemverValue,
          ...READS_TEXT,
        },
        {
          id: "is_semver_string_bool",
          member: false,
          params: [STRING, BOOL],
          result: BOOL,
          call: (args) =>
            toSemver(textAt(args, 0), { normalize: args[1] === true }) instanceof SemverValue,
          ...READS_TEXT,
        },
      ],
    },
    comparison("isGreaterThan", {
      id: "semver_is_greater_than",
      result: BOOL,
      read: (order) => order === 1,
    }),
    comparison("isLessThan", {
      id: "semver_is_less_than",
      result: BOOL,
      read: (order) => order === -1,
    }),
    comparison("compareTo", { id: "semver_compare_to", result: INT, read: BigInt }),
    number("major"),
    number("minor"),
    number("patch"),
  ],
};

function comparison(
  name: string,
  { id, result, read }: { id: string; result: Type; read: (order: -1 | 0 | 1) => Value },
): FunctionDeclaration {
  const call = (args: readonly Value[]): Value =>
    read(compareSemver(versionAt(args, 0), versionAt(args, 1)));
  const params = [SEMVER_TYPE, SEMVER_TYPE];
  return { name, overloads: [{ id, member: true, params, result, call }] };
}

function number(name: "major" | "minor" | "patch"): FunctionDeclaration {
  // Beyond 2^63 it comes out negative, as in kube-apiserver.
  const call = (args: readonly Value[]): bigint => BigInt.asIntN(64, versionAt(args, 0)[name]);
  const id = `semver_${name}`;
  return { name, overloads: [{ id, member: true, params: [SEMVER_TYPE], result: INT, call }] };
}

function versionAt(args: readonly Value[], index: number): Semver {
  return (args[index] as SemverValue).version;
}

function toSemver(text: string, options?: { normalize: boolean }): SemverValue | Failure {
  const parse = options?.normalize === true ? parseNormalizedSemver : parseSemver;
  try {
    return new SemverValue(withoutStacks(() => parse(text)));
  } catch (error) {
    if (error instanceof SemverError) return new Failure(error.message);
    throw error;
  }
}
