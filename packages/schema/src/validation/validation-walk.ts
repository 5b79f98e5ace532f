/**
 * One walk over a value and its checks. Errors, their texts and which of several alternatives they
 * come from are those of kube-openapi's validator: to choose among the alternatives of anyOf and
 * oneOf it counts what each of them looked at and takes the one that got farthest, so every check
 * here returns such a count.
 *
 * Large values and long texts are checked in steps, so that others get a turn in between; what is
 * left of a walk between two steps is all in it.
 */
import { WORK_PER_SLICE, type WorkSteps } from "@homeostat/cel";
import { FieldError, FieldPath, type JsonObject, type JsonValue } from "@homeostat/object-model";
import {
  CHARACTERS_PER_MICROSECOND,
  MEMBERS_PER_MICROSECOND,
  PROBLEM_WORK,
  simpleWork,
} from "./check-work.ts";
import type { Correlation } from "./correlation.ts";
import { equalsMember, kindOf, type ValueKind } from "./go-value.ts";
import type { PatternVerdicts } from "./pattern-verdicts.ts";
import type { SchemaCheck } from "./schema-check.ts";
import { goQuoted, invalidShown, shownValue, sortKeys } from "./shown-value.ts";
import { lengthProblem } from "./text-length.ts";
import { typeProblem } from "./type-problem.ts";

interface Problem {
  /** Equal texts are told once. */
  readonly text: string;
  readonly error: FieldError;
}

export class ValidationWalk {
  readonly #prefix: FieldPath | undefined;
  readonly #verdicts: PatternVerdicts;
  #problems: Problem[] = [];
  readonly #steps: (number | string)[] = [];
  /** Whether the first step is a key that is not declared by name: its path begins with a point. */
  #startsWithKey = false;
  /** Since the last rest, in microseconds, roughly. */
  #work = 0;

  /** `prefix`: where in the object the value stands. */
  constructor(prefix: FieldPath | undefined, verdicts: PatternVerdicts) {
    this.#prefix = prefix;
    this.#verdicts = verdicts;
  }

  get isValid(): boolean {
    return this.#problems.length === 0;
  }

  /** In the order in which they were found, each once. */
  get errors(): FieldError[] {
    const seen = new Set<string>();
    return this.#problems.flatMap(({ text, error }) => {
      if (seen.has(text)) return [];
      seen.add(text);
      return [error];
    });
  }

  /**
   * `correlation`: what the value was before, where what did not change may stay invalid. Of a simple
   * value the count, of others the steps to it.
   */
  check(
    check: SchemaCheck,
    value: JsonValue,
    correlation?: Correlation,
  ): WorkSteps<number> | number {
    const work = simpleWork(check, value);
    if (work > WORK_PER_SLICE) return this.#checkInSteps(check, value, correlation);
    this.#work += work;
    const before = this.#problems.length;
    const count = this.#checkSimple(check, value);
    this.#forgive(before, correlation);
    return count;
  }

  *#checkInSteps(
    check: SchemaCheck,
    value: JsonValue,
    correlation: Correlation | undefined,
  ): WorkSteps<number> {
    const before = this.#problems.length;
    const kind = kindOf(value);
    let count = this.#checkKind(check, value, kind);
    count += check.hasNested ? yield* this.#checkNested(check, value) : 1;
    switch (kind) {
      case "string":
        count += yield* this.#checkText(check, value as string);
        break;
      case "array":
        count += yield* this.#checkArray(check, value as JsonValue[], correlation);
        break;
      case "object":
        if (check.enumeration !== undefined) this.#checkEnumeration(check, value);
        count += yield* this.#checkObject(check, value as JsonObject, correlation);
        break;
      default:
        count += this.#checkNumber(check, value);
    }
    if (check.enumeration !== undefined && kind !== "object") this.#checkEnumeration(check, value);
    this.#forgive(before, correlation);
    return count;
  }

  /** What has no parts and is short, checked by what is not nested. */
  #checkSimple(check: SchemaCheck, value: JsonValue): number {
    if (value === null) return this.#checkNull(check);
    let count = this.#checkKind(check, value, kindOf(value)) + 1;
    if (typeof value === "string") {
      count += this.#checkString(check, value);
    } else count += this.#checkNumber(check, value);
    if (check.enumeration !== undefined) this.#checkEnumeration(check, value);
    return count;
  }

  /** Problems of what did not change are none. */
  #forgive(before: number, correlation: Correlation | undefined): void {
    if (this.#problems.length > before && correlation?.isUnchanged) {
      this.#problems.length = before;
    }
  }

  *#rest(): WorkSteps<void> {
    yield;
    this.#work = 0;
  }

  #checkKind(check: SchemaCheck, value: JsonValue, kind: ValueKind): number {
    if (check.types.length === 0 && check.format === "") return 3;
    const problem = typeProblem(check, value, kind);
    if (problem === undefined) return 5;
    this.#addTypeError(problem.wanted, problem.got);
    return 4;
  }

  #checkNull(check: SchemaCheck): number {
    let count = 1;
    if (check.types.length > 0 && !check.nullable) {
      this.#addTypeError(check.types.join(","), "null");
      count = 0;
    }
    if (check.enumeration !== undefined) this.#checkEnumeration(check, null);
    return count;
  }

  *#checkText(check: SchemaCheck, text: string): WorkSteps<number> {
    const { pattern } = check;
    if (this.#work >= WORK_PER_SLICE) yield* this.#rest();
    this.#work += text.length / CHARACTERS_PER_MICROSECOND;
    const isAsked = pattern !== undefined && lengthProblem(check, text) === undefined;
    const isMatch = !isAsked || (yield* this.#verdicts.matches(pattern, text));
    return this.#checkString(check, text, isMatch);
  }

  #checkString(check: SchemaCheck, text: string, isMatch?: boolean): number {
    const { maxLength, minLength, pattern } = check;
    const problem = lengthProblem(check, text);
    if (problem === "long") {
      const error = FieldError.tooLong(this.#fieldPath(), maxLength!);
      this.#add(`${this.#path()} in body should be at most ${maxLength} chars long`, error);
    } else if (problem === "short") {
      this.#addInvalid(`should be at least ${minLength} chars long`, text);
    } else if (pattern !== undefined && !(isMatch ?? pattern.matches(text))) {
      const invalid = pattern.problem;
      const why = invalid === undefined ? "" : `, but pattern is invalid: ${invalid}`;
      this.#addInvalid(`should match '${pattern.source}${why}'`, text);
    }
    if (check.matchesFormat === undefined) return 1;
    if (!check.matchesFormat(text)) this.#addTypeError(check.format, text);
    return 2;
  }

  #checkNumber(check: SchemaCheck, value: JsonValue): number {
    if (typeof value !== "number" && typeof value !== "bigint") return 0;
    if (check.numbers.accepts(value)) return 2;
    for (const problem of check.numbers.problems(value, this.#path())) {
      const { message, shown } = problem;
      if (shown === undefined) this.#addGeneral(message);
      else this.#add(message, invalidShown(this.#errorPath(), shown, message));
    }
    return 2;
  }

  *#checkArray(
    check: SchemaCheck,
    list: readonly JsonValue[],
    correlation: Correlation | undefined,
  ): WorkSteps<number> {
    let count = 2;
    const { items, minItems, maxItems } = check;
    if (items !== undefined) {
      const last = this.#steps.push(0) - 1;
      for (let index = 0; index < list.length; index++) {
        this.#steps[last] = index;
        const checked = this.check(items, list[index]!, correlation?.item(index));
        count += typeof checked === "number" ? checked : yield* checked;
        if (this.#work >= WORK_PER_SLICE) yield* this.#rest();
      }
      this.#steps.pop();
    }
    if (minItems !== undefined && list.length < minItems) {
      this.#addInvalid(`should have at least ${minItems} items`, list.length);
    }
    if (maxItems !== undefined && list.length > maxItems) {
      const error = FieldError.tooMany(this.#fieldPath(), list.length, maxItems);
      this.#add(`${this.#path()} in body should have at most ${maxItems} items`, error);
    }
    return count;
  }

  *#checkObject(
    check: SchemaCheck,
    object: JsonObject,
    correlation: Correlation | undefined,
  ): WorkSteps<number> {
    const names = Object.keys(object);
    const { minProperties, maxProperties } = check;
    if (minProperties !== undefined && names.length < minProperties) {
      this.#addInvalid(`should have at least ${minProperties} properties`, names.length);
    }
    if (maxProperties !== undefined && names.length > maxProperties) {
      const error = FieldError.tooMany(this.#fieldPath(), names.length, maxProperties);
      this.#add(`${this.#path()} in body should have at most ${maxProperties} properties`, error);
    }
    let count = 1;
    for (const name of names) {
      const property = check.property(name);
      const member = property ?? check.additional;
      if (member !== undefined) {
        const isRoot = this.#steps.length === 0;
        if (isRoot) this.#startsWithKey = property === undefined;
        this.#steps.push(name);
        const old =
          isRoot && (name === "kind" || name === "apiVersion")
            ? undefined
            : correlation?.member(name);
        const checked = this.check(member, object[name]!, old);
        count += typeof checked === "number" ? checked : yield* checked;
        this.#steps.pop();
        if (this.#work >= WORK_PER_SLICE) yield* this.#rest();
      } else if (check.forbidsOthers) {
        const message = `${this.#path()}.${name} in body is a forbidden property`;
        this.#add(message, FieldError.invalid(this.#errorPath(), name, message));
      }
    }
    for (const name of check.required) {
      if (!Object.hasOwn(object, name)) this.#addRequired(name);
    }
    return count;
  }

  /** allOf, anyOf, oneOf and not. Nothing below them may stay invalid: they never see the old value. */
  *#checkNested(check: SchemaCheck, value: JsonValue): WorkSteps<number> {
    const { allOf, anyOf, oneOf, not } = check.nested;
    let count = 0;
    if (anyOf.length > 0) {
      const best = yield* this.#bestOf(anyOf, value, { stopAtFirst: true });
      if (best.valid === 0) this.#addAbout("must validate at least one schema (anyOf)");
      for (const each of best.problems) this.#problems.push(each);
      count += best.count;
    }
    if (oneOf.length > 0) {
      const best = yield* this.#bestOf(oneOf, value, { stopAtFirst: false });
      if (best.valid !== 1) {
        const found =
          best.valid === 0 ? "Found none valid" : `Found ${best.valid} valid alternatives`;
        this.#addAbout(`must validate one and only one schema (oneOf). ${found}`);
      }
      for (const each of best.problems) this.#problems.push(each);
      if (best.valid <= 1) count += best.count;
    }
    if (allOf.length > 0) count += yield* this.#checkAll(allOf, value);
    if (not !== undefined && (yield* this.#tryOut(not, value)).problems.length === 0) {
      this.#addAbout("must not validate the schema (not)");
    }
    return count + 1;
  }

  *#checkAll(checks: readonly SchemaCheck[], value: JsonValue): WorkSteps<number> {
    let count = 0;
    let valid = 0;
    for (const check of checks) {
      const before = this.#problems.length;
      const checked = this.check(check, value);
      count += typeof checked === "number" ? checked : yield* checked;
      if (this.#problems.length === before) valid++;
    }
    if (valid !== checks.length) {
      this.#addAbout(
        `must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`,
      );
    }
    return count;
  }

  /** The first alternative that holds, or the one that got farthest. */
  *#bestOf(
    checks: readonly SchemaCheck[],
    value: JsonValue,
    { stopAtFirst }: { stopAtFirst: boolean },
  ): WorkSteps<Trial & { valid: number }> {
    let valid = 0;
    let success: Trial | undefined;
    let farthest: Trial | undefined;
    for (const check of checks) {
      const trial = yield* this.#tryOut(check, value);
      if (trial.problems.length === 0) {
        valid++;
        success ??= trial;
        if (stopAtFirst) break;
      } else if (farthest === undefined || trial.count > farthest.count) {
        farthest = trial;
      }
    }
    return { ...(success ?? farthest ?? NOTHING), valid };
  }

  *#tryOut(check: SchemaCheck, value: JsonValue): WorkSteps<Trial> {
    const outer = this.#problems;
    this.#problems = [];
    const checked = this.check(check, value);
    const count = typeof checked === "number" ? checked : yield* checked;
    const problems = this.#problems;
    this.#problems = outer;
    return { count, problems };
  }

  #checkEnumeration(check: SchemaCheck, value: JsonValue): void {
    const known = check.enumeration!;
    if (check.enumerated.has(value)) return;
    if (typeof value !== "string") {
      this.#work += known.length / MEMBERS_PER_MICROSECOND;
      if (known.some((each) => equalsMember(value, each))) return;
    }
    const texts = known.map((each) => (typeof each === "string" ? each : shownValue(each)));
    const message = `${this.#path()} in body should be one of [${texts.join(" ")}]`;
    this.#add(message, FieldError.notSupported(this.#fieldPath(), sortKeys(value), texts));
  }

  #addTypeError(type: string, value: string): void {
    const message = `${this.#path()} in body must be of type ${type}: ${goQuoted(value)}`;
    this.#add(message, FieldError.typeInvalid(this.#fieldPath(), value, message));
  }

  #addInvalid(problem: string, value: number | string): void {
    const message = `${this.#path()} in body ${problem}`;
    this.#add(message, FieldError.invalid(this.#errorPath(), value, message));
  }

  #addRequired(name: string): void {
    const path = `${this.#path()}.${name}`;
    this.#add(`${path} in body is required`, FieldError.required(this.#fieldPathOf(path)));
  }

  /** About the value as a whole: told without a field. */
  #addAbout(problem: string): void {
    this.#addGeneral(`${goQuoted(this.#path())} ${problem}`);
  }

  #addGeneral(message: string): void {
    this.#add(message, FieldError.invalid(this.#prefix, "", message));
  }

  #add(text: string, error: FieldError): void {
    this.#work += PROBLEM_WORK + text.length / CHARACTERS_PER_MICROSECOND;
    this.#problems.push({ text, error });
  }

  #path(): string {
    let path = "";
    for (const step of this.#steps) {
      if (typeof step === "number") path += `[${step}]`;
      else path += path === "" && !this.#startsWithKey ? step : `.${step}`;
    }
    return path;
  }

  /** Undefined for the whole object. */
  #errorPath(): FieldPath | undefined {
    return this.#steps.length === 0 ? this.#prefix : this.#fieldPathOf(this.#path());
  }

  #fieldPath(): FieldPath {
    return this.#errorPath() ?? FieldPath.of("<nil>");
  }

  #fieldPathOf(path: string): FieldPath {
    const name = path.startsWith(".") ? path.slice(1) : path;
    return this.#prefix?.child(name) ?? FieldPath.of(name);
  }
}

interface Trial {
  readonly count: number;
  readonly problems: Problem[];
}

const NOTHING: Trial = { count: 0, problems: [] };
