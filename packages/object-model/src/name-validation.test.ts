import { expect, test } from "vitest";
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelKey,
  checkLabelValue,
  checkPathSegmentName,
  checkPathSegmentPrefix,
} from "./name-validation.ts";

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

test.each(["a", "0", "web-0", "example.com", "1.2.3", "x".repeat(253)])(
  "%j is a subdomain",
  (name) => {
    expect(checkDns1123Subdomain(name)).toEqual([]);
  },
);

test.each(["", "-a", "a-", "A", "a_b", "a..b", ".a", "a/b", "a\n", "\u00e9"])(
  "%j is no subdomain",
  (name) => {
    expect(checkDns1123Subdomain(name)).toEqual([SUBDOMAIN]);
  },
);

test("lengths count bytes, and too long comes before malformed", () => {
  expect(checkDns1123Subdomain("x".repeat(254))).toEqual(["must be no more than 253 characters"]);
  expect(checkDns1123Label("\u00e9".repeat(32))).toEqual([
    "must be no more than 63 characters",
    LABEL,
  ]);
  expect(checkDns1123Label("\u00e9".repeat(31))).toEqual([LABEL]);
});

test("a label is a subdomain without dots", () => {
  expect(checkDns1123Label("my-name")).toEqual([]);
  expect(checkDns1123Label("9")).toEqual([]);
  expect(checkDns1123Label("a.b")).toEqual(["must not contain dots"]);
  expect(checkDns1123Label("a.B")).toEqual([LABEL]);
  expect(checkDns1123Label("x".repeat(64))).toEqual(["must be no more than 63 characters"]);
});

test("a DNS-1035 label begins with a letter", () => {
  expect(checkDns1035Label("a9")).toEqual([]);
  expect(checkDns1035Label("9a")).toEqual([LABEL_1035]);
  expect(checkDns1035Label("x".repeat(64))).toEqual(["must be no more than 63 characters"]);
});

test.each(["app", "App_1.x-y", "a", "example.com/name", "constructor", `a/${"n".repeat(63)}`])(
  "%j is a label key",
  (key) => {
    expect(checkLabelKey(key)).toEqual([]);
  },
);

test("label keys are refused part by part", () => {
  expect(checkLabelKey("")).toEqual(["name part must be non-empty", NAME_PART]);
  expect(checkLabelKey("/a")).toEqual(["prefix part must be non-empty"]);
  expect(checkLabelKey("a/")).toEqual(["name part must be non-empty", NAME_PART]);
  expect(checkLabelKey("__proto__")).toEqual([NAME_PART]);
  expect(checkLabelKey("A/b")).toEqual([`prefix part ${SUBDOMAIN}`]);
  expect(checkLabelKey("n".repeat(64))).toEqual(["name part must be no more than 63 bytes"]);
  expect(checkLabelKey(`${"p".repeat(254)}/n`)).toEqual([
    "prefix part must be no more than 253 bytes",
  ]);
  expect(checkLabelKey("a/b/c")).toEqual([
    `a valid label key ${NAME_PART.slice("name part ".length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ]);
});

test("label values may be empty, and are refused for length and form", () => {
  for (const value of ["", "a", "A.b_c-d9", "v".repeat(63)]) {
    expect(checkLabelValue(value)).toEqual([]);
  }
  expect(checkLabelValue("-a")).toEqual([VALUE]);
  expect(checkLabelValue("a b")).toEqual([VALUE]);
  expect(checkLabelValue("v".repeat(64))).toEqual(["must be no more than 63 bytes"]);
});

test("path segments refuse only what breaks a URL", () => {
  expect(checkPathSegmentName("system:node:x")).toEqual([]);
  expect(checkPathSegmentName(".")).toEqual(["may not be '.'"]);
  expect(checkPathSegmentName("..")).toEqual(["may not be '..'"]);
  expect(checkPathSegmentName("a%/")).toEqual(["may not contain '/'", "may not contain '%'"]);
  expect(checkPathSegmentPrefix("..")).toEqual([]);
});
