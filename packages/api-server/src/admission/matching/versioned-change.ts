import {
  findSchemaOfKind,
  type GroupVersionKind,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  printApiVersion,
} from "@homeostat/object-model";
import { convert } from "../../conversion/convert.ts";
import { builtinCodec, type ObjectCodec } from "../../registry/object-codec.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { decodeStored } from "../../registry/stored-object.ts";
import type { AdmissionAttributes, MatchedResource } from "./admission-attributes.ts";

/** The objects of a change as clients of one version know them. Nobody changes them. */
export interface VersionedChange {
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
}

/** The objects of a request in the versions that webhooks and policies ask for, each made once. */
export class VersionedChanges {
  readonly #attributes: AdmissionAttributes;
  readonly #made = new Map<ServedResource, Promise<VersionedChange>>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  in(matched: MatchedResource): Promise<VersionedChange> {
    let made = this.#made.get(matched.served);
    if (made === undefined) {
      made = this.#make(matched);
      this.#made.set(matched.served, made);
    }
    return made;
  }

  async #make(matched: MatchedResource): Promise<VersionedChange> {
    const { change, request } = this.#attributes;
    const { object, old } = change;
    return {
      object: object && (await printIn(object, request.served, matched)),
      old: old && (await printIn(old, request.served, matched)),
    };
  }
}

/** An object of a request, which is in the version that is kept, as the matched version prints it. */
export async function printIn(
  object: Readonly<KubernetesObject>,
  served: ServedResource,
  matched: MatchedResource,
): Promise<JsonObject> {
  const codec = codecOf(matched);
  if (codec !== matched.served.codec) return codec.print(object as unknown as JsonObject);
  const converted = await inVersionOf(object, served, matched.served);
  return codec.print(converted as unknown as JsonObject);
}

/**
 * What a patch made of an object, decoded as a client's would be, with defaults, in the version that
 * is kept. Throws ObjectDecodeError.
 */
export async function readIn(
  value: JsonValue,
  served: ServedResource,
  matched: MatchedResource,
): Promise<KubernetesObject> {
  const codec = codecOf(matched);
  const { object } = codec.read(value);
  object["kind"] = matched.kind.kind;
  object["apiVersion"] = printApiVersion(matched.kind);
  codec.applyDefaults(object);
  const made = object as KubernetesObject;
  if (codec !== matched.served.codec) return made;
  made.metadata ??= {};
  if (served.custom !== undefined) return inVersionOf(made, matched.served, served);
  return served.converts ? convert(made, served.stored.apiVersion) : made;
}

/** Of the resource, or of the body of a subresource that is of another kind. */
export function codecOf({ served, kind }: MatchedResource): ObjectCodec {
  if (isOwnKind(served, kind)) return served.codec;
  const schema = findSchemaOfKind(kind);
  return schema === undefined ? served.codec : builtinCodec(schema);
}

function isOwnKind({ definition }: ServedResource, kind: GroupVersionKind): boolean {
  const { group, version } = definition;
  return kind.kind === definition.kind && kind.group === group && kind.version === version;
}

/** Of custom resources, through the version in which they are kept. */
async function inVersionOf(
  object: Readonly<KubernetesObject>,
  from: ServedResource,
  to: ServedResource,
): Promise<Readonly<KubernetesObject>> {
  if (to.custom === undefined) {
    return to.converts ? convert(structuredClone(object), to.apiVersion) : object;
  }
  if (from === to) return object;
  const kept = await from.stored.keeping!.encode(structuredClone(object));
  const [value] = await to.stored.keeping!.refresh([kept]);
  const { metadata = {}, ...rest } = decodeStored(value!, 0);
  const { resourceVersion: _, ...others } = metadata;
  const given = object.metadata?.resourceVersion;
  return {
    ...rest,
    metadata: { ...others, ...(given === undefined ? {} : { resourceVersion: given }) },
  };
}
