import { ApiError, encodeJson, type KubernetesObject } from "@homeostat/object-model";
import { MergeValueError } from "@homeostat/schema";

/** Thrown where an object is needed in another version that its definition's webhook has to make first. */
export class ConversionWantedError extends Error {
  override readonly name = "ConversionWantedError";
  readonly code = "conversion-wanted";
  readonly object: KubernetesObject;
  readonly apiVersion: string;

  constructor(object: KubernetesObject, apiVersion: string) {
    super(`${object.apiVersion} is wanted as ${apiVersion}`);
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

export function wantConversion(object: KubernetesObject, apiVersion: string): never {
  throw new ConversionWantedError(object, apiVersion);
}

/**
 * Objects of one request in the versions of their managers, as a webhook converted them. Who manages what
 * is decided without waiting for anybody; so where a conversion is missing, it is asked for and all is
 * decided again.
 */
export class RemoteConversions {
  readonly #convert: (object: KubernetesObject, apiVersion: string) => Promise<KubernetesObject>;
  /** What came of each, or why nothing did. */
  readonly #made = new Map<string, KubernetesObject | MergeValueError>();

  constructor(
    convert: (object: KubernetesObject, apiVersion: string) => Promise<KubernetesObject>,
  ) {
    this.#convert = convert;
  }

  /** The object in that version. Throws ConversionWantedError where that is not known yet. */
  readonly get = (object: KubernetesObject, apiVersion: string): KubernetesObject => {
    const made = this.#made.get(keyOf(object, apiVersion));
    if (made === undefined) return wantConversion(object, apiVersion);
    if (made instanceof MergeValueError) throw made;
    return structuredClone(made);
  };

  /** Runs `decide` until it wants no more conversions, and tells it whether there are any yet. */
  async settle<T>(decide: (hasAny: boolean) => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await decide(this.#made.size > 0);
      } catch (error) {
        if (!(error instanceof ConversionWantedError)) throw error;
        await this.#make(error);
      }
    }
  }

  async #make({ object, apiVersion }: ConversionWantedError): Promise<void> {
    const key = keyOf(object, apiVersion);
    try {
      this.#made.set(key, await this.#convert(structuredClone(object), apiVersion));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#made.set(key, new MergeValueError([{ path: "", detail: error.message }]));
    }
  }
}

function keyOf(object: KubernetesObject, apiVersion: string): string {
  return `${apiVersion} ${encodeJson(object)}`;
}
