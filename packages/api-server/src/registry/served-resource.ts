import type {
  BuiltinResource,
  BuiltinSubresource,
  GroupKind,
  GroupResource,
  KubernetesObject,
} from "@homeostat/object-model";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
} from "@homeostat/object-model/apiextensions-v1";
import type { ObjectCodec } from "./object-codec.ts";
import type { Strategy } from "./strategy.ts";

/** How the objects of one kind are kept, whatever versions they are served in. */
export interface StoredKind {
  readonly groupResource: GroupResource;
  readonly groupKind: GroupKind;
  /** The version that repositories work in. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** What all keys of this kind start with; never the beginning of another kind's. */
  readonly prefix: string;
  readonly codec: ObjectCodec;
  readonly strategy: Strategy;
  /** Clients write the status through the subresource only. */
  readonly hasStatus: boolean;
  /** Selectable fields in the order in which their values are kept beside the bytes. */
  readonly fieldNames: readonly string[];
  /** Where kept bytes may be of another version or schema than this kind's. */
  readonly keeping: Keeping | undefined;
}

/**
 * How objects of a kind are kept whose definition can change under them: each version that is served
 * is a StoredKind of its own over the same keys.
 */
export interface Keeping {
  /** Somebody else converts between versions, and may change labels. */
  readonly isRemote: boolean;
  /** The bytes to keep; where `breathe` is given the object is large, and others have turns in between. */
  encode(object: KubernetesObject, breathe?: () => Promise<void>): Uint8Array | Promise<Uint8Array>;
  /** Kept bytes as this kind has them now: the same where nothing changed. Copies what it waits with. */
  refresh(values: readonly Uint8Array[]): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
}

/** What discovery tells of a resource, and which verbs it has. */
export interface ResourceDefinition extends Omit<BuiltinResource, "schema" | "subresources"> {
  readonly subresources: readonly Omit<BuiltinSubresource, "schema">[];
}

/** One resource of one served version. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly codec: ObjectCodec;
  readonly stored: StoredKind;
  /** Whether the repository's bytes are this version's. */
  readonly isStorageVersion: boolean;
  /** Whether what is written passes conversion: the kind is served in several versions. */
  readonly converts: boolean;
  /** Defined by a client: lists and objects print as those of no type. */
  readonly custom: CustomResource | undefined;
}

/** What the definition of a custom resource says beside its schema. */
export interface CustomResource {
  /** Name of the definition. */
  readonly definedBy: string;
  /** The version as its definition has it. */
  readonly version: CustomResourceDefinitionVersion;
  /** Name of the version that objects are kept in. */
  readonly storageVersion: string;
  /** Texts for Warning headers of every answer. */
  readonly warnings: readonly string[];
  /** Its converter cannot be trusted: whatever is asked of it fails. */
  readonly unusable: boolean;
  /** Its definition is being deleted: nothing is created any more. */
  readonly terminating: boolean;
  readonly scale: CustomScale | undefined;
  /** How objects of every version of the definition are read, served or not, by apiVersion. */
  readonly codecs: ReadonlyMap<string, ObjectCodec>;
  /** Asks the definition's webhook; undefined where versions differ in their name only. */
  readonly convertRemotely:
    | ((object: KubernetesObject, toApiVersion: string) => Promise<KubernetesObject>)
    | undefined;
  /** What tables show beside the name; none for the age. */
  readonly printerColumns: readonly CustomResourceColumnDefinition[];
}

/** JSON paths of the scale subresource. */
export interface CustomScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string | undefined;
}
