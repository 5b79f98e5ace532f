/**
 * The formats that `format.dns1123Label()` and the like name: each says of a text what is wrong with
 * it, in Kubernetes' words. `patternLength` is what kube-apiserver reckons with in costs, the
 * length of the pattern it uses or of one that would do.
 */
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelKey,
  checkLabelValue,
} from "@homeostat/object-model";
import { withoutStacks } from "../text/without-stacks.ts";
import { parseRequestUri } from "../url/parse-url.ts";
import { UrlError } from "../url/url-error.ts";
import { isBase64, isDate, isDateTime, isUuid } from "./text-forms.ts";

export interface NamedFormat {
  /** What makes two formats equal. */
  readonly name: string;
  readonly patternLength: number;
  /** Empty: the text has the format. */
  check(text: string): readonly string[];
}

/** By the name in expressions. */
export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map(
  Object.entries({
    dns1123Label: { name: "DNS1123Label", patternLength: 30, check: checkDns1123Label },
    dns1123Subdomain: { name: "DNS1123Subdomain", patternLength: 60, check: checkDns1123Subdomain },
    dns1035Label: { name: "DNS1035Label", patternLength: 30, check: checkDns1035Label },
    qualifiedName: { name: "QualifiedName", patternLength: 60, check: checkLabelKey },
    dns1123LabelPrefix: {
      name: "DNS1123LabelPrefix",
      patternLength: 30,
      check: ofPrefix(checkDns1123Label),
    },
    dns1123SubdomainPrefix: {
      name: "DNS1123SubdomainPrefix",
      patternLength: 60,
      check: ofPrefix(checkDns1123Subdomain),
    },
    dns1035LabelPrefix: {
      name: "DNS1035LabelPrefix",
      patternLength: 30,
      check: ofPrefix(checkDns1035Label),
    },
    labelValue: { name: "LabelValue", patternLength: 40, check: checkLabelValue },
    uri: { name: "URI", patternLength: 1103, check: checkUri },
    uuid: {
      name: "uuid",
      patternLength: 70,
      check: refusing(isUuid, "does not match the UUID format"),
    },
    byte: { name: "byte", patternLength: 84, check: refusing(isBase64, "invalid base64") },
    date: { name: "date", patternLength: 71, check: refusing(isDate, "invalid date") },
    datetime: {
      name: "datetime",
      patternLength: 71,
      check: refusing(isDateTime, "invalid datetime"),
    },
  }),
);

/** A trailing dash is no mistake, since more will follow. */
function ofPrefix(check: (text: string) => string[]): (text: string) => string[] {
  return (text) => {
    if (text.length <= 1 || !text.endsWith("-")) return check(text);
    // kube-apiserver drops the byte before the dash too.
    const isAscii = text.charAt(text.length - 2) <= "\x7f";
    return check(`${text.slice(0, isAscii ? -2 : -1)}a`);
  };
}

function refusing(test: (text: string) => boolean, problem: string): (text: string) => string[] {
  return (text) => (test(text) ? [] : [problem]);
}

function checkUri(text: string): string[] {
  try {
    withoutStacks(() => parseRequestUri(text));
    return [];
  } catch (error) {
    if (error instanceof UrlError) return [error.message];
    throw error;
  }
}
