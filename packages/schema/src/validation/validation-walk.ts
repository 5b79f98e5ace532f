/**
 * One walk over a value and its checks. Errors, their texts and which of several alternatives they
 * come from are those of kube-openapi's validator: to choose among the alternatives of anyOf and
 * oneOf it counts what each of them looked at and takes the one that got farthest, so every check
 * here returns such a count.
 */
import {
  equalJson,
  FieldError,
  FieldPath,
  type JsonObject,
  type JsonValue,
} from "@homeostat/object-model";
import type { Correlation } from "./correlation.ts";
import { isJsonInteger, kindOf, type ValueKind } from "./go-value.ts";
import type { SchemaCheck } from "./schema-check.ts";
import { goQuoted, invalidShown, shownValue, sortKeys } from "./shown-value.ts";

interface Problem {
  /** Equal texts are told once. */
  readonly text: string;
  readonly error: FieldError;
}

export class ValidationWalk {
  readonly #prefix: FieldPath | undefined;
  #problems: Problem[] = [];
  readonly #steps: (number | string)[] = [];
  /** Whether the first step is a key that is not declared by name: its path begins with a point. */
  #startsWithKey = false;

  /** `prefix`: where in the object the value stands. */
  constructor(prefix?: FieldPath) {
    this.#prefix = prefix;
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

  /** `correlation`: what the value was before, where what did not change may stay invalid. */
  check(check: SchemaCheck, value: JsonValue, correlation?: Correlation): number {
    const before = this.#problems.length;
    const count = this.#checkValue(check, value, correlation);
    if (this.#problems.length > before && correlation?.isUnchanged) {
      this.#problems.length = before;
    }
    return count;
  }

  #checkValue(check: SchemaCheck, value: JsonValue, correlation: Correlation | undefined): number {
    if (value === null) return this.#checkNull(check);
    const kind = kindOf(value);
    let count = 3;
    if (check.types.length > 0 || check.format !== "")
      count += 1 + this.#checkType(check, value, kind);
    count += check.hasNested ? this.#checkNested(check, value) : 1;
    switch (kind) {
      case "string":
        count += this.#checkString(check, value as string);
        break;
      case "integer":
      case "number":
        count += this.#checkNumber(check, value as bigint | number);
        break;
      case "array":
        count += this.#checkArray(check, value as JsonValue[], correlation);
        break;
      case "object":
        if (check.enumeration !== undefined) this.#checkEnumeration(check, value);
        return count + this.#checkObject(check, value as JsonObject, correlation);
      case "boolean":
      case "null":
        break;
    }
    if (check.enumeration !== undefined) this.#checkEnumeration(check, value);
    return count;
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

  #checkType(check: SchemaCheck, value: JsonValue, kind: ValueKind): number {
    const { types, format } = check;
    const isText = kind === "string" || kind === "array";
    if (format === "" || !isText) {
      if (types.includes(kind)) return 1;
    }
    const isNumeric = types.includes("number") || types.includes("integer");
    const isFloatInteger =
      kind === "number" && types.includes("integer") && isJsonInteger(value as number);
    const isIntegerFloat = kind === "integer" && types.includes("number");
    const goFormat = kind === "integer" ? "int64" : kind === "number" ? "float64" : "";
    if (!isText && format !== "" && goFormat !== format && !isFloatInteger && !isIntegerFloat) {
      this.#addTypeError(format, goFormat);
      return 0;
    }
    if (!isNumeric && format !== "" && isText) return 1;
    if (types.includes(kind) || isFloatInteger || isIntegerFloat) return 1;
    this.#addTypeError(types.join(","), kind);
    return 0;
  }

  #checkString(check: SchemaCheck, text: string): number {
    const { maxLength, minLength, pattern } = check;
    if (maxLength !== undefined && isLongerThan(text, maxLength)) {
      const error = FieldError.tooLong(this.#fieldPath(), maxLength);
      this.#add(`${this.#path()} in body should be at most ${maxLength} chars long`, error);
    } else if (minLength !== undefined && minLength > 0 && !isLongerThan(text, minLength - 1)) {
      this.#addInvalid(`should be at least ${minLength} chars long`, text);
    } else if (pattern !== undefined && !pattern.matches(text)) {
      const { problem } = pattern;
      const why = problem === undefined ? "" : `, but pattern is invalid: ${problem}`;
      this.#addInvalid(`should match '${pattern.source}${why}'`, text);
    }
    if (check.matchesFormat === undefined) return 1;
    if (!check.matchesFormat(text)) this.#addTypeError(check.format, text);
    return 2;
  }

  #checkNumber(check: SchemaCheck, value: bigint | number): number {
    if (check.numbers.accepts(value)) return 2;
    for (const problem of check.numbers.problems(value, this.#path())) {
      const { message, shown } = problem;
      if (shown === undefined) this.#addGeneral(message);
      else this.#add(message, invalidShown(this.#errorPath(), shown, message));
    }
    return 2;
  }

  #checkArray(
    check: SchemaCheck,
    list: readonly JsonValue[],
    correlation: Correlation | undefined,
  ): number {
    let count = 2;
    const { items, minItems, maxItems } = check;
    if (items !== undefined) {
      const last = this.#steps.push(0) - 1;
      for (let index = 0; index < list.length; index++) {
        this.#steps[last] = index;
        count += this.check(items, list[index]!, correlation?.item(index));
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

  #checkObject(
    check: SchemaCheck,
    object: JsonObject,
    correlation: Correlation | undefined,
  ): number {
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
        count += this.check(member, object[name]!, old);
        this.#steps.pop();
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
  #checkNested(check: SchemaCheck, value: JsonValue): number {
    const { allOf, anyOf, oneOf, not } = check.nested;
    let count = 0;
    if (anyOf.length > 0) {
      const best = this.#bestOf(anyOf, value, { stopAtFirst: true });
      if (best.valid === 0) this.#addAbout("must validate at least one schema (anyOf)");
      for (const each of best.problems) this.#problems.push(each);
      count += best.count;
    }
    if (oneOf.length > 0) {
      const best = this.#bestOf(oneOf, value, { stopAtFirst: false });
      if (best.valid !== 1) {
        const found =
          best.valid === 0 ? "Found none valid" : `Found ${best.valid} valid alternatives`;
        this.#addAbout(`must validate one and only one schema (oneOf). ${found}`);
      }
      for (const each of best.problems) this.#problems.push(each);
      if (best.valid <= 1) count += best.count;
    }
    if (allOf.length > 0) count += this.#checkAll(allOf, value);
    if (not !== undefined && this.#tryOut(not, value).problems.length === 0) {
      this.#addAbout("must not validate the schema (not)");
    }
    return count + 1;
  }

  #checkAll(checks: readonly SchemaCheck[], value: JsonValue): number {
    let count = 0;
    let valid = 0;
    for (const check of checks) {
      const before = this.#problems.length;
      count += this.check(check, value);
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
  #bestOf(
    checks: readonly SchemaCheck[],
    value: JsonValue,
    { stopAtFirst }: { stopAtFirst: boolean },
  ): Trial & { valid: number } {
    let valid = 0;
    let success: Trial | undefined;
    let farthest: Trial | undefined;
    for (const check of checks) {
      const trial = this.#tryOut(check, value);
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

  #tryOut(check: SchemaCheck, value: JsonValue): Trial {
    const outer = this.#problems;
    this.#problems = [];
    const count = this.check(check, value);
    const problems = this.#problems;
    this.#problems = outer;
    return { count, problems };
  }

  #checkEnumeration(check: SchemaCheck, value: JsonValue): void {
    const known = check.enumeration!;
    if (known.some((each) => equalsMember(value, each))) return;
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

/** Counted in code points, and only as far as needed. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > limit * 2) return true;
  let count = 0;
  for (const _ of text) if (++count > limit) return true;
  return false;
}

/** As Go compares after converting the value to the type of the member: 1.5 is 1 among integers. */
function equalsMember(value: JsonValue, member: JsonValue): boolean {
  if (member === null || value === null) return false;
  if (typeof value === "number" && !Number.isInteger(value)) {
    if (typeof member === "number" && Number.isInteger(member)) return Math.trunc(value) === member;
  }
  return equalJson(value, member);
}
