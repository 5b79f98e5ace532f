/**
 * In which representation an answer leaves: a media type, and a form of what is in it (the object
 * itself, a table for people, metadata only). Ranges of the Accept header are tried by weight and then
 * in order; the first that the place offers wins, as kube-apiserver has it, whose routes refuse what
 * they cannot serve at all before anybody looks at forms.
 */
import { ApiError } from "@homeostat/object-model";

export type MediaType =
  | "application/json"
  | "application/vnd.kubernetes.protobuf"
  | "application/yaml";

/** What the answer is turned into before it is encoded. */
export type Form =
  | { readonly kind: "object" }
  | { readonly kind: "table"; readonly apiVersion: FormVersion }
  | { readonly kind: "partial"; readonly list: boolean; readonly apiVersion: FormVersion };

export type FormVersion = "meta.k8s.io/v1" | "meta.k8s.io/v1beta1";

export interface Representation {
  readonly media: MediaType;
  readonly form: Form;
}

/** What a place can answer with. */
export interface Offer {
  /** Lists share their place with watches; custom resources have no routes that could refuse. */
  readonly route: "custom" | "list" | "object";
  /** The answer is a watch. */
  readonly stream: boolean;
  /** Whether what is there can be shown as a table. */
  readonly tables: boolean;
}

const WHOLE: Form = { kind: "object" };

/** The representation of most answers: the same one each time. */
export const PLAIN_JSON: Representation = { media: "application/json", form: WHOLE };

/** In the order of preference of a client that takes anything. */
const MEDIA: readonly MediaType[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];
const STREAMS = [
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
];
const PLAIN_RANGES: ReadonlySet<string | undefined> = new Set([
  undefined,
  "",
  "*/*",
  "application/json",
]);

/** Throws 406 when nothing that is accepted is offered. */
export function negotiate(accept: string | undefined, offer: Offer): Representation {
  if (accept === undefined || PLAIN_RANGES.has(accept)) return PLAIN_JSON;
  const ranges = rangesOf(accept);
  if (offer.route !== "custom" && !ranges.some(isRouted)) throw unrouted(offer.route);
  const found = firstAccepted(ranges, offer);
  if (found === undefined) throw ApiError.notAcceptable(MEDIA);
  if (offer.stream && found.media === "application/yaml") throw ApiError.notAcceptable(STREAMS);
  return found;
}

/** For what has one form only: discovery, Status. Throws 406 likewise. */
export function negotiateMedia(accept: string | undefined): MediaType {
  return negotiate(accept, { route: "object", stream: false, tables: false }).media;
}

/** For refusals, which have one form only and have to be told in some way. */
export function mediaOfRefusals(accept: string | undefined): MediaType {
  if (PLAIN_RANGES.has(accept)) return "application/json";
  const offer: Offer = { route: "object", stream: false, tables: false };
  for (const range of rangesOf(accept!)) {
    const found = formOf(range) === WHOLE && firstAccepted([range], offer);
    if (found) return found.media;
  }
  return "application/json";
}

/** Whether JSON is to have line breaks and spaces, by a parameter of its range. */
export function asksForPretty(accept: string | undefined): boolean {
  if (accept?.includes("pretty") !== true) return false;
  const json = rangesOf(accept).find((range) => matches(range, "application/json"));
  return json?.parameters.pretty === "1";
}

function firstAccepted(ranges: readonly Range[], offer: Offer): Representation | undefined {
  for (const range of ranges) {
    const form = formOf(range);
    if (form === undefined) continue;
    for (const media of MEDIA) {
      if (matches(range, media) && allows(offer, form, media)) {
        const { stream } = range.parameters;
        const isStream = stream === "watch" && media !== "application/yaml";
        if (stream === undefined || isStream) return { media, form };
      }
    }
  }
  return undefined;
}

function allows({ route, tables }: Offer, form: Form, media: MediaType): boolean {
  const isProtobuf = media === "application/vnd.kubernetes.protobuf";
  if (form.kind === "table") return tables && !isProtobuf;
  return form.kind === "partial" || route !== "custom" || !isProtobuf;
}

/** Undefined for a form that nothing has. */
function formOf({ parameters }: Range): Form | undefined {
  const { as, g, v, sv } = parameters;
  if (sv !== undefined && sv !== "v1") return undefined;
  if (as === undefined && g === undefined && v === undefined) return WHOLE;
  if (g !== "meta.k8s.io" || (v !== "v1" && v !== "v1beta1")) return undefined;
  const apiVersion: FormVersion = `meta.k8s.io/${v}`;
  switch (as) {
    case "Table":
      return { kind: "table", apiVersion };
    case "PartialObjectMetadata":
    case "PartialObjectMetadataList":
      return { kind: "partial", list: as === "PartialObjectMetadataList", apiVersion };
    default:
      return undefined;
  }
}

function isRouted(range: Range): boolean {
  const { type, subtype } = range;
  if (type === "*") return subtype === "*" && !range.short;
  return subtype !== "*" && MEDIA.some((media) => matches(range, media));
}

function matches({ type, subtype }: Range, media: MediaType): boolean {
  if (type === "*") return subtype === "*";
  return type === "application" && (subtype === "*" || media === `application/${subtype}`);
}

function unrouted(route: "list" | "object"): ApiError {
  const available = route === "object" ? MEDIA : [...MEDIA, ...STREAMS];
  return new ApiError({
    reason: "NotAcceptable",
    message: `406: Not Acceptable\n\nAvailable representations: ${available.join(", ")}`,
    details: {},
  });
}

export interface Range {
  readonly type: string;
  readonly subtype: string;
  /** Written as `*` alone. */
  readonly short: boolean;
  readonly weight: number;
  readonly parameters: {
    readonly [name in "as" | "g" | "pretty" | "stream" | "sv" | "v"]?: string;
  };
}

/** Clients are few, and each says the same every time. */
const MOST_KNOWN = 100;
const known = new Map<string, readonly Range[]>();

function rangesOf(header: string): readonly Range[] {
  let ranges = known.get(header);
  if (ranges === undefined) {
    ranges = parseAccept(header);
    if (known.size >= MOST_KNOWN) known.clear();
    if (header.length < 1000) known.set(header, ranges);
  }
  return ranges;
}

/** What cannot be read is left out. */
export function parseAccept(header: string): readonly Range[] {
  const ranges: Range[] = [];
  for (const part of header.split(",")) {
    const [name = "", ...settings] = trimSpaces(part).split(";");
    const [type = "", subtype, ...more] = name.split("/").map(trimSpaces);
    const short = subtype === undefined || subtype === "";
    if (more.length > 0 || (short && type !== "*")) continue;
    let weight = 1;
    const parameters: Record<string, string> = {};
    for (const setting of settings) {
      const [key = "", value = "", ...rest] = setting.split("=");
      if (value === "" || rest.length > 0) continue;
      const parameter = trimSpaces(key);
      if (parameter === "q") weight = Number(value) || 0;
      else if (PARAMETERS.has(parameter)) parameters[parameter] = trimSpaces(value);
    }
    ranges.push({ type, subtype: short ? "*" : subtype, short, weight, parameters });
  }
  return byWeight(ranges);
}

const PARAMETERS: ReadonlySet<string> = new Set(["as", "g", "pretty", "stream", "sv", "v"]);

/**
 * Each range moves ahead of those it precedes, one neighbour at a time. What precedes what is no
 * order that could be sorted by, so how it is done decides: this is how Go does it.
 */
function byWeight(ranges: Range[]): readonly Range[] {
  for (let end = 1; end < ranges.length; end++) {
    for (let at = end; at > 0 && precedes(ranges[at]!, ranges[at - 1]!); at--) {
      [ranges[at], ranges[at - 1]] = [ranges[at - 1]!, ranges[at]!];
    }
  }
  return ranges;
}

function precedes(one: Range, other: Range): boolean {
  if (one.weight > other.weight) return true;
  if (one.type !== "*" && other.type === "*") return true;
  return one.subtype !== "*" && other.subtype === "*";
}

function trimSpaces(text: string): string {
  return text.replace(/^ +| +$/g, "");
}
