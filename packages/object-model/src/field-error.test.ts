import { expect, test } from "vitest";
import { FieldError, printFieldErrors } from "./field-error.ts";
import { FieldPath } from "./field-path.ts";

const path = FieldPath.of("spec", "a").index(1).key("k/x").child("b", "c");

test("paths print as Kubernetes prints them", () => {
  expect(String(path)).toBe("spec.a[1][k/x].b.c");
});

test.each([
  [FieldError.invalid(path, "x", "bad"), "FieldValueInvalid", 'Invalid value: "x": bad'],
  [FieldError.invalid(path, "x", ""), "FieldValueInvalid", 'Invalid value: "x"'],
  [FieldError.typeInvalid(path, "x", "no"), "FieldValueTypeInvalid", 'Invalid value: "x": no'],
  [FieldError.required(path), "FieldValueRequired", "Required value"],
  [FieldError.required(path, "need"), "FieldValueRequired", "Required value: need"],
  [FieldError.duplicate(path, 80), "FieldValueDuplicate", "Duplicate value: 80"],
  [FieldError.notFound(path, "x"), "FieldValueNotFound", 'Not found: "x"'],
  [
    FieldError.notSupported(path, "x", ["b", "a"]),
    "FieldValueNotSupported",
    'Unsupported value: "x": supported values: "b", "a"',
  ],
  [FieldError.notSupported(path, "x", []), "FieldValueNotSupported", 'Unsupported value: "x"'],
  [FieldError.forbidden(path, "no"), "FieldValueForbidden", "Forbidden: no"],
  [FieldError.tooLong(path, 5), "FieldValueTooLong", "Too long: may not be more than 5 bytes"],
  [FieldError.tooLong(path, 1), "FieldValueTooLong", "Too long: may not be more than 1 byte"],
  [
    FieldError.tooLongCharacters(path, 5),
    "FieldValueTooLong",
    "Too long: may not be more than 5 characters",
  ],
  [FieldError.tooMany(path, 5, 3), "FieldValueTooMany", "Too many: 5: must have at most 3 items"],
  [FieldError.tooFew(path, 0, 1), "FieldValueTooFew", "Too few: 0: must have at least 1 item"],
  [FieldError.tooShort(path, 3), "FieldValueTooShort", "Too short: must be at least 3 characters"],
  [FieldError.internal(path, new Error("boom")), "InternalError", "Internal error: boom"],
])("%s", (error, type, body) => {
  expect(error.type).toBe(type);
  expect(error.body).toBe(body);
  expect(String(error)).toBe(`spec.a[1][k/x].b.c: ${body}`);
});

test.each([
  ['x\n"\u00e9\u0001', '"x\\n\\"\u00e9\\x01"'],
  [3, "3"],
  [2 ** 62, "4611686018427387904"],
  [9007199254740993n, "9007199254740993"],
  [1.5, "1.5"],
  [100000.5, "100000.5"],
  [1000000.5, "1.0000005e+06"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [1e21, "1e+21"],
  [true, "true"],
  [null, "null"],
  [undefined, "null"],
  [["a", "<&>"], '["a","\\u003c\\u0026\\u003e"]'],
  [{ b: 1, a: [2n ** 60n] }, '{"b":1,"a":[1152921504606846976]}'],
])("the bad value %s prints as Go prints it", (value, printed) => {
  expect(FieldError.invalid(path, value, "").body).toBe(`Invalid value: ${printed}`);
});

test("several errors are one text, each once, in brackets", () => {
  const one = FieldError.required(FieldPath.of("a"));
  const two = FieldError.invalid(undefined, "x", "bad");
  expect(printFieldErrors([one, one])).toBe("a: Required value");
  expect(printFieldErrors([one, two, one])).toBe(
    '[a: Required value, <nil>: Invalid value: "x": bad]',
  );
});
