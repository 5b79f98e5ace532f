/**
 * The formats of texts that kube-apiserver checks for custom resources, as go-openapi's registry
 * understands them, which is not always what the name promises: `date-time` only looks at the digits
 * of the time, `ipv4` takes leading zeros. Other formats are no rule at all.
 */
import { isEmailAddress } from "./email-address.ts";
import { isCidr, isIpv4, isIpv6 } from "./ip-address.ts";
import { isCreditCard, isIsbn10, isIsbn13 } from "./number-code.ts";
import { isRequestUri } from "./request-uri.ts";
import { isDate, isDateTime, isDuration } from "./time-text.ts";

/** Undefined where the format is not checked. Dashes in the name make no difference. */
export function findTextFormat(name: string): ((text: string) => boolean) | undefined {
  return FORMATS.get(name.replaceAll("-", ""));
}

/**
 * The format that is checked for values of the type, "" where it is none that is known for it. `type`
 * is "" where several or none are allowed.
 */
export function checkedFormat(type: string, format: string): string {
  switch (type) {
    case "":
    case "string":
      return findTextFormat(format) === undefined ? "" : format;
    case "integer":
      return format === "int32" || format === "int64" ? format : "";
    case "number":
      return format === "float" || format === "double" ? format : "";
    default:
      return "";
  }
}

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** Made when it is called: classes of Unicode take a millisecond, which no start should wait for. */
function hostnamePattern(): RegExp {
  return /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;
}

/** Lengths are looked at first: they keep the pattern from meeting a long text. */
function isHostname(text: string): boolean {
  if (utf8Length(text) > 255) return false;
  return text.split(".").every((label) => utf8Length(label) <= 63) && hostnamePattern().test(text);
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

const SHORT_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LONG_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const RGB_PART = "\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";

const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", matching(/^[0-9a-fA-F]{24}$/)],
  [
    "byte",
    matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  ],
  ["cidr", isCidr],
  ["creditcard", isCreditCard],
  ["date", isDate],
  ["datetime", isDateTime],
  ["duration", isDuration],
  ["email", isEmailAddress],
  ["hexcolor", matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["isbn", (text: string) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["k8slongname", (text: string) => text.length <= 253 && LONG_NAME.test(text)],
  ["k8sshortname", (text: string) => text.length <= 63 && SHORT_NAME.test(text)],
  [
    "mac",
    matching(
      /^(?:[0-9a-fA-F]{2}(?:(?::[0-9a-fA-F]{2}){5}|(?::[0-9a-fA-F]{2}){7}|(?::[0-9a-fA-F]{2}){19}|(?:-[0-9a-fA-F]{2}){5}|(?:-[0-9a-fA-F]{2}){7}|(?:-[0-9a-fA-F]{2}){19})|[0-9a-fA-F]{4}(?:(?:\.[0-9a-fA-F]{4}){2}|(?:\.[0-9a-fA-F]{4}){3}|(?:\.[0-9a-fA-F]{4}){9}))$/,
    ),
  ],
  ["password", () => true],
  ["rgbcolor", matching(new RegExp(`^rgb\\(${RGB_PART},${RGB_PART},${RGB_PART}\\)$`))],
  ["ssn", (text: string) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["uri", isRequestUri],
  ["uuid", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid3", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid4", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["uuid5", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
]);
