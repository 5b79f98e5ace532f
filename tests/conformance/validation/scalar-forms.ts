/**
 * Values that a field is probed with, by its type and name. Names of forms are part of a probe's
 * identity: a form may be added, but a name keeps its meaning.
 */
import type { JsonValue, ScalarType } from "@homeostat/object-model";

export type Forms = Readonly<Record<string, JsonValue>>;

export interface ScalarSite {
  /** Of the field, or of the list or map that holds the value. */
  readonly name: string;
  readonly scalar: ScalarType | undefined;
  /** Where the type is no plain scalar: `quantity`, `int-or-string`, `time`, ... */
  readonly form: string | undefined;
  /** What the base object has there. */
  readonly value: JsonValue | undefined;
}

const longLabel = "a".repeat(64);
const longName = "a".repeat(254);

const anyText: Forms = { empty: "", upper: "UpperCase", bad: "a_b!c", long: longLabel };
const nameText: Forms = {
  dotted: "a.b",
  dash: "-a",
  digits: "123",
  slash: "a/b",
  longest: longName,
};
const pathText: Forms = {
  relative: "a/b",
  up: "../a",
  inside: "/a/../b",
  root: "/",
  colon: "/a:b",
  absolute: "/a/b",
};
const addressText: Forms = {
  ipv4: "10.1.2.3",
  ipv6: "fd00::1",
  octet: "10.0.0.256",
  zeros: "010.001.002.003",
  mapped: "::ffff:1.2.3.4",
  loopback: "127.0.0.1",
  linklocal: "169.254.0.1",
  multicast: "224.0.0.1",
  unspecified: "0.0.0.0",
  cidr: "10.0.0.0/24",
  cidrlong: "10.0.0.0/33",
  cidrhost: "10.0.0.1/24",
  cidr6: "fd00::/64",
};
const qualifiedText: Forms = {
  prefixed: "example.com/a",
  twice: "a.com/b/c",
  upperprefix: "Example.com/a",
  reserved: "kubernetes.io/a",
};
const urlText: Forms = {
  http: "http://a.example",
  https: "https://a.example/b",
  query: "https://a.example/b?c=d",
  fragment: "https://a.example/b#f",
  user: "https://u@a.example/b",
  nohost: "https:///b",
  nourl: "::",
};
const hostText: Forms = { wildcard: "*.a.example", star: "*", stars: "*.*.example", port: "a:80" };
const proseText: Forms = { newline: "a\nb", prose: "a".repeat(1025) };
const versionText: Forms = { version: "v1", semantic: "1.2.3", word: "v1alpha1x" };
const expressionText: Forms = { call: "f()", unfinished: "1 +", truth: "true", number: "1" };

/** Which further forms a text field gets, by its name. */
const byName: readonly (readonly [RegExp, Forms])[] = [
  [
    /names?$|^user$|^group$|^subdomain$|^holder|^kind$|^resources?$|^protocol$|^id$|^pool$/i,
    nameText,
  ],
  [/path|prefix$|file$/i, pathText],
  [
    /ips?$|cidrs?$|address|^except$|^nameservers$|^addresses$|^loadBalancerSourceRanges$/i,
    addressText,
  ],
  [/^host|^hosts$|domain|^searches$|^monitors$|server$|hostname/i, hostText],
  [
    /key$|keys$|driver|provisioner|attacher|signerName|controller$|finalizers|^type$|name$|resource$|label|unhealthy|conditionType|^audiences$|handler$/i,
    qualifiedText,
  ],
  [/url|endpoint/i, urlText],
  [
    /message|reason|description|note|action|appProtocol|^value$|^status$|timeZone|schedule/i,
    proseText,
  ],
  [/version/i, versionText],
  [/expression/i, expressionText],
];

export function scalarForms(site: ScalarSite): Forms {
  switch (site.form ?? site.scalar) {
    case "bool":
      return { true: true, false: false };
    case "int32":
      return numberForms(site);
    case "int64":
      return { ...numberForms(site), beyond32: 2_147_483_648, huge: 4_102_444_800_000 };
    case "double":
      return { zero: 0, minus: -1, half: 0.5, huge: 1e30 };
    case "bytes":
      return { empty: "", some: "YWJj", notbase64: "!!!" };
    case "quantity":
      return {
        zero: "0",
        minus: "-1",
        nonsense: "abc",
        empty: "",
        half: "1500m",
        tiny: "0.5m",
        binary: "3Gi",
        number: 7,
        huge: "1e30",
      };
    case "int-or-string":
      return {
        zero: 0,
        minus: -1,
        port: 65_535,
        beyond: 65_536,
        empty: "",
        word: "http",
        upper: "HTTP_x",
        long: "abcdefghijklmnop",
        digits: "80",
        percent: "50%",
        none: "0%",
        above: "150%",
        minuspercent: "-1%",
        half: "1.5%",
      };
    case "time":
    case "micro-time":
      return { past: "2001-02-03T04:05:06Z", nonsense: "yesterday", empty: "" };
    case "duration":
      return { minus: "-5s", zero: "0s", some: "90s", nonsense: "abc" };
    case "string":
      return textForms(site);
    default:
      return { text: "x", number: 1, object: {}, list: [] };
  }
}

function numberForms({ value }: ScalarSite): Forms {
  return {
    zero: 0,
    minus: -1,
    one: 1,
    hundred: 100,
    above: 101,
    port: 65_535,
    beyond: 65_536,
    max: 2_147_483_647,
    min: -2_147_483_648,
    ...(typeof value === "number" && { less: value - 1, more: value + 1 }),
  };
}

function textForms({ name, value }: ScalarSite): Forms {
  const given = typeof value === "string" ? value : "x";
  const forms: Record<string, JsonValue> = { ...anyText, space: `${given} `, lead: ` ${given}` };
  for (const [pattern, more] of byName) if (pattern.test(name)) Object.assign(forms, more);
  if (given.toLowerCase() !== given) forms["lower"] = given.toLowerCase();
  if (given.length > 1 && given.length < 60) forms["added"] = `${given}x`;
  return forms;
}

/** Another value that is probably as valid as the one that is there. */
export function otherValue({ scalar, form, value, name }: ScalarSite): JsonValue {
  switch (form ?? scalar) {
    case "bool":
      return value !== true;
    case "int32":
    case "int64":
    case "double":
      return typeof value === "number" ? value + 1 : 1;
    case "bytes":
      return "b3RoZXI=";
    case "quantity":
      return value === "2" ? "3" : "2";
    case "int-or-string":
      return typeof value === "number" ? value + 1 : 2;
    case "time":
      return "2001-02-03T04:05:06Z";
    case "micro-time":
      return "2001-02-03T04:05:06.000007Z";
    case "duration":
      return "77s";
    case "string":
      if (typeof value !== "string" || value === "") return /path/i.test(name) ? "/x" : "x";
      return /^[\d.]+$/.test(value)
        ? value.replace(/\d$/, (last) => String((Number(last) + 1) % 10))
        : `${value}x`;
    default:
      return { x: "y" };
  }
}
