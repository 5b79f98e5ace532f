import { ownKey } from "../json/own-key.ts";
import { SelectorError } from "./selector-error.ts";

/** `=` stands for `==` too. */
export type FieldOperator = "=" | "!=";

/** One condition on one field. All of a selector must hold. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: FieldOperator;
  readonly value: string;
}

/** The selectable fields of an object; one that is not there has the value "". */
export type FieldValues = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

/** Changes a requirement, for example to another version's name of the field. */
export type FieldTransform = (field: string, value: string) => { field: string; value: string };

/**
 * `metadata.name=x,spec.nodeName!=`: exact matches of single fields. In values `\`, `,` and `=` are
 * escaped by a backslash; there is no quoting and no white space to skip.
 */
export class FieldSelector {
  static readonly everything: FieldSelector = new FieldSelector([]);

  /** In the order of their texts. */
  readonly requirements: readonly FieldRequirement[];

  private constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = Object.freeze(requirements);
  }

  /** Throws {@link SelectorError} with Kubernetes' message. */
  static parse(text: string): FieldSelector {
    const requirements: FieldRequirement[] = [];
    for (const term of splitTerms(text).sort()) {
      if (term === "") continue;
      const requirement = parseTerm(term);
      if (requirement === undefined) {
        throw malformed(`invalid selector: '${text}'; can't understand '${term}'`);
      }
      if (!isBlank(requirement)) requirements.push(requirement);
    }
    return new FieldSelector(requirements);
  }

  static fromRequirements(requirements: readonly FieldRequirement[]): FieldSelector {
    return new FieldSelector([...requirements]);
  }

  matches(fields: FieldValues): boolean {
    const valueOf = reader(fields);
    for (const { field, operator, value } of this.requirements) {
      if ((valueOf(field) === value) !== (operator === "=")) return false;
    }
    return true;
  }

  isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** The value this field must have, if one is required. */
  requiredValue(field: string): string | undefined {
    return this.requirements.find(
      (requirement) => requirement.field === field && requirement.operator === "=",
    )?.value;
  }

  /** A requirement that becomes blank, with neither field nor value, is dropped. */
  transform(change: FieldTransform): FieldSelector {
    const requirements = this.requirements
      .map((requirement) => ({
        operator: requirement.operator,
        ...change(requirement.field, requirement.value),
      }))
      .filter((requirement) => !isBlank(requirement));
    return new FieldSelector(requirements);
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => field + operator + escapeFieldValue(value))
      .join(",");
  }
}

/** A value as it must be written in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

function reader(fields: FieldValues): (field: string) => string {
  if (fields instanceof Map) return (field) => fields.get(field) ?? "";
  const record = fields as Readonly<Record<string, string>>;
  return (field) => ownKey(record, field) ?? "";
}

/** At commas that no backslash precedes; the backslashes stay. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** The first operator divides: a field name cannot contain one. */
function parseTerm(term: string): FieldRequirement | undefined {
  const match = /!=|==?/.exec(term);
  if (match === null) return undefined;
  return {
    field: term.slice(0, match.index),
    operator: match[0] === "!=" ? "!=" : "=",
    value: unescapeFieldValue(term.slice(match.index + match[0].length)),
  };
}

/** `=` alone says nothing. */
function isBlank({ field, value }: FieldRequirement): boolean {
  return field === "" && value === "";
}

function unescapeFieldValue(text: string): string {
  return text.replace(/\\([^]?)|[,=]/gu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      // Kubernetes prints the number of the character.
      throw malformed(
        `invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`,
      );
    }
    if (escaped !== "\\" && escaped !== "," && escaped !== "=") {
      throw malformed(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
}

function malformed(message: string): SelectorError {
  return new SelectorError("field-selector-malformed", message);
}
