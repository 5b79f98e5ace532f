import { inSlices } from "@homeostat/cel";
import type { Clock } from "@homeostat/concurrency";
import {
  ApiError,
  decodeJson,
  JsonError,
  type JsonObject,
  JsonSizeError,
  type JsonValue,
} from "@homeostat/object-model";
import { decodeLargeJson } from "../codec/decode-large-json.ts";
import { decodeObject } from "../protobuf/decode-object.ts";
import type { ObjectType } from "../protobuf/protobuf-error.ts";

/** kube-apiserver's limit on the body of a request. */
export const MAX_BODY_BYTES: number = 3 * 1024 * 1024;

/** From here on a body takes so long that those who send such have to wait for each other. */
export const LARGE_BODY_BYTES: number = 512 * 1024;

/** From here on it is worked on in slices: so many bytes can be 20,000 containers of a pod. */
const SLICED_BODY_BYTES = 64 * 1024;

const JSON_TYPE = "application/json";
const YAML_TYPE = "application/yaml";
const PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";
const UNTYPED_TYPES = [JSON_TYPE, YAML_TYPE];
const OBJECT_TYPES = [...UNTYPED_TYPES, PROTOBUF_TYPE];

/** A body with the keys that its JSON holds twice. */
export interface DecodedBody {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
  /** What is strange in a body that is no JSON, in the words that strict validation refuses it with. */
  readonly problems?: readonly string[];
  /** What reading it as its kind would give, and nobody else has it. */
  readonly typed?: boolean;
}

/** What came with a request, read when a verb asks. */
export class RequestBody {
  /** Without parameters, in lower case; "" when not given. */
  readonly mediaType: string;
  /** The same as it was written: patches are told apart by it. */
  readonly mediaTypeAsGiven: string;
  readonly #clock: Clock;
  readonly #content: Uint8Array | { readonly value: unknown } | undefined;

  constructor(
    contentType: string,
    content: Uint8Array | { readonly value: unknown } | undefined,
    clock: Clock,
  ) {
    this.#clock = clock;
    this.mediaTypeAsGiven = contentType.split(";", 1)[0]!.trim();
    this.mediaType = this.mediaTypeAsGiven.toLowerCase();
    this.#content = content;
  }

  /** Large bodies are worked on step by step: between steps, {@link breathe}. */
  get isLarge(): boolean {
    return this.#content instanceof Uint8Array && this.#content.length > SLICED_BODY_BYTES;
  }

  /** Lets everybody else have a turn. */
  breathe(): Promise<void> {
    return new Promise((resolve) => this.#clock.endOfTurn(resolve));
  }

  /** What its kind makes of it, for whoever follows bodies: nobody here. */
  isMeantAs(_object: () => JsonObject): void {}

  get isEmpty(): boolean {
    return (
      this.#content === undefined ||
      (this.#content instanceof Uint8Array && this.#content.length === 0)
    );
  }

  /** The bytes, for messages that quote them; empty for a body that came as a value. */
  get bytes(): Uint8Array {
    return this.#content instanceof Uint8Array ? this.#content : new Uint8Array(0);
  }

  /**
   * An object in JSON, YAML or, where a type is expected, protobuf, which is of that type if it does
   * not say; anything else is refused with what could be read. Throws or rejects with JsonError,
   * YamlError and ProtobufError; a promise only where others have turns meanwhile.
   */
  decodeObject(expected: ObjectType | undefined): DecodedBody | Promise<DecodedBody> {
    if (this.mediaType === "" || this.mediaType === JSON_TYPE) return this.#decodeJsonInSlices();
    if (this.mediaType === YAML_TYPE) return this.#decodeYaml();
    if (this.mediaType !== PROTOBUF_TYPE) throw ApiError.unsupportedMediaType(OBJECT_TYPES);
    if (expected === undefined) throw ApiError.unsupportedMediaType(UNTYPED_TYPES);
    return this.#decodeProtobuf(expected);
  }

  /** Throws JsonError. */
  decodeJson(): DecodedBody {
    const content = this.#content;
    if (content instanceof Uint8Array) {
      try {
        return decodeJson(content, { duplicates: "report", maxBytes: MAX_BODY_BYTES });
      } catch (error) {
        if (error instanceof JsonSizeError) throw tooLarge();
        throw error;
      }
    }
    if (content === undefined) return decodeJson("", { duplicates: "report" });
    return { value: (content.value ?? null) as JsonValue, duplicates: [] };
  }

  /** The same, with turns for others where it is large. */
  #decodeJsonInSlices(): DecodedBody | Promise<DecodedBody> {
    const content = this.#content;
    if (!(content instanceof Uint8Array) || !this.isLarge || content.length > MAX_BODY_BYTES) {
      return this.decodeJson();
    }
    return inSlices(decodeLargeJson(content), () => this.breathe()).then((value) =>
      value === undefined ? this.decodeJson() : { value, duplicates: [] },
    );
  }

  /** A configuration to apply: YAML, most of which in practice is JSON. Throws YamlError. */
  async decodeConfiguration(): Promise<DecodedBody> {
    if (this.isEmpty) return { value: null, duplicates: [] };
    try {
      const decoded = await this.#decodeJsonInSlices();
      if (decoded.duplicates.length === 0) return decoded;
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
    }
    return this.#decodeYaml();
  }

  #decodeProtobuf(expected: ObjectType): DecodedBody {
    const content = this.#content ?? new Uint8Array(0);
    if (!(content instanceof Uint8Array)) return this.decodeJson();
    if (content.length > MAX_BODY_BYTES) throw tooLarge();
    return { value: decodeObject(content, expected), duplicates: [], typed: true };
  }

  async #decodeYaml(): Promise<DecodedBody> {
    if (!(this.#content instanceof Uint8Array)) return this.decodeJson();
    const { decodeYaml } = await import("./decode-yaml.ts");
    return decodeYaml(this.#content, () => this.breathe());
  }
}

export function tooLarge(): ApiError {
  return ApiError.requestEntityTooLarge(`limit is ${MAX_BODY_BYTES}`);
}
