import { FieldError, type FieldPath } from "@homeostat/object-model";
import type { JSONSchemaProps, ValidationRule } from "@homeostat/object-model/apiextensions-v1";
import { parseStructuralSchema, resolveFieldPath, unreadable } from "@homeostat/schema";

const REASONS = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** What the validation rules of a schema say besides their expressions. */
export function checkRuleTexts(schema: Readonly<JSONSchemaProps>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const isReadable = unreadable(schema) === undefined;
  for (const [index, given] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    const {
      rule = "",
      message = "",
      messageExpression = "",
      fieldPath = "",
      reason,
    } = given as Partial<ValidationRule>;
    const at = path.child("x-kubernetes-validations").index(index);
    if (rule.trim() === "") {
      errors.push(FieldError.required(at.child("rule"), "rule is not specified"));
    } else if (message !== "" && message.trim() === "") {
      errors.push(
        FieldError.invalid(at.child("message"), message, "must be non-empty if specified"),
      );
    } else if (hasLineBreak(message.trim())) {
      errors.push(FieldError.invalid(at.child("message"), message, "must not contain line breaks"));
    } else if (hasLineBreak(rule.trim()) && message.trim() === "") {
      const detail = "message must be specified if rule contains line breaks";
      errors.push(FieldError.required(at.child("message"), detail));
    }
    if (messageExpression !== "" && messageExpression.trim() === "") {
      const detail = "messageExpression must be non-empty if specified";
      errors.push(FieldError.required(at.child("messageExpression"), detail));
    }
    if (reason !== undefined && !REASONS.includes(reason)) {
      errors.push(FieldError.notSupported(at.child("reason"), reason, REASONS));
    }
    if (fieldPath === "") continue;
    const refuse = (detail: string) => {
      errors.push(FieldError.invalid(at.child("fieldPath"), fieldPath, detail));
    };
    if (fieldPath.trim() === "") refuse("must be non-empty if specified");
    if (hasLineBreak(fieldPath)) refuse("must not contain line breaks");
    const isValid = !isReadable || resolveFieldPath(fieldPath, parseStructuralSchema(schema)).ok;
    if (!isValid) refuse("must be a valid path");
  }
  return errors;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
