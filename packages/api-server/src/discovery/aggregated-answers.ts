import { encodeJsonBytes, type KubernetesObject } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { valuePayload } from "../answers/object-payload.ts";
import { encoderOf } from "../http/media-encoder.ts";
import { type MediaType, parseAccept, type Range } from "../http/negotiation.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { aggregatedDiscovery } from "./aggregated-discovery.ts";
import { entityTag, holdsTag } from "./entity-tag.ts";
import { takesMedia } from "./takes-media.ts";

type Root = "api" | "apis";

interface Kept {
  readonly bytes: Uint8Array;
  readonly tag: string;
  /** What it was made of, and whether that was going away. */
  readonly of: readonly ServedResource[];
  readonly terminating: readonly boolean[];
}

const AS = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Discovery in one document, kept until something else is served. */
export class AggregatedAnswers {
  readonly #kept = new Map<Root, Kept>();

  /** Undefined when the client does not ask for it: wherever the header does, that goes first. */
  answer(
    root: Root,
    headers: Readonly<Record<string, string>> | undefined,
    custom: readonly ServedResource[],
  ): Answer | Promise<Answer> | undefined {
    const accept = headers?.["accept"];
    if (accept === undefined || !accept.includes("as=APIGroupDiscoveryList")) return undefined;
    const form = parseAccept(accept)
      .map(formOf)
      .find((each) => each !== undefined);
    if (form === undefined) return undefined;
    const kept = this.#keep(root, root === "api" ? [] : custom);
    const common = { etag: `"${kept.tag}"`, vary: "Accept", "cache-control": "public" };
    if (holdsTag(headers?.["if-none-match"], kept.tag)) {
      const payload = { kind: "bytes", contentType: "", bytes: new Uint8Array() } as const;
      return { status: 304, headers: common, payload };
    }
    const contentType = `${form}${AS}`;
    if (form !== "application/json") {
      const object = aggregatedDiscovery(root, kept.of) as KubernetesObject;
      return encoded(object, { form, headers: common, contentType });
    }
    const { bytes } = kept;
    return { status: 200, headers: common, payload: { kind: "bytes", contentType, bytes } };
  }

  #keep(root: Root, of: readonly ServedResource[]): Kept {
    const terminating = of.map(({ custom }) => custom?.terminating === true);
    const known = this.#kept.get(root);
    const isSame =
      known?.of.length === of.length &&
      known.of.every((each, i) => each === of[i] && known.terminating[i] === terminating[i]);
    if (known !== undefined && isSame) return known;
    const bytes = encodeJsonBytes(aggregatedDiscovery(root, of));
    const kept = { bytes, tag: entityTag(bytes), of, terminating };
    this.#kept.set(root, kept);
    return kept;
  }
}

interface EncodedForm {
  readonly form: MediaType;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
}

async function encoded(
  object: KubernetesObject,
  { form, headers, contentType }: EncodedForm,
): Promise<Answer> {
  const encoder = await encoderOf(form, false);
  const encoding = encoder.object(valuePayload(object));
  const bytes = encoding instanceof Uint8Array ? encoding : Buffer.concat([...encoding]);
  return { status: 200, headers, payload: { kind: "bytes", contentType, bytes } };
}

const FORMS: readonly MediaType[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

/** The media type in which a range asks for this; undefined when it asks for something else. */
function formOf(range: Range): MediaType | undefined {
  const { as, g, v } = range.parameters;
  if (as !== "APIGroupDiscoveryList" || g !== "apidiscovery.k8s.io" || v !== "v2") return undefined;
  return FORMS.find((each) => takesMedia(range, each));
}
