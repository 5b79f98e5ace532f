/**
 * What differs from kind to kind, and nothing else. The registry does the rest for every kind alike:
 * decoding, defaults, metadata (uid, timestamps, generation), preconditions, storage and answers.
 * `resources/` holds one strategy per kind that needs one; a kind without needs none.
 *
 * Order on create:  defaults -> prepareForCreate -> validate -> companions -> commit.
 * Order on update:  defaults -> prepareForUpdate -> validateUpdate -> companions -> commit.
 * A strategy may change the object it is given until it is validated, never the old one.
 */
import type { Random } from "@homeostat/concurrency";
import type { FieldError, GroupResource, KubernetesObject } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import type { ServiceLocation, WebhookAddress } from "../webhooks/webhook-client.ts";

export interface Strategy<T extends KubernetesObject = KubernetesObject> {
  /** PUT to a name that does not exist creates it. Default false. */
  readonly createOnUpdate?: boolean;

  /** PUT without a resource version overwrites whatever is there. Default true. */
  readonly unconditionalUpdate?: boolean;

  /**
   * Whether metadata.generation is counted: 1 on create, one more when anything but metadata and
   * status changes or deletion begins. Default: false, and what a client sets on create stays.
   */
  readonly generation?: boolean;

  /** The status of a new object is the client's to set, although there is a subresource for it. */
  readonly statusOnCreate?: boolean;

  /** What is wrong with a name, or with a generateName. Default: checkDns1123Subdomain. */
  readonly checkName?: NameCheck;

  /** What DELETE without a propagation policy does with dependents. Default "Background". */
  readonly deletePropagation?: "Background" | "Orphan";

  /**
   * The fields selectable beside metadata.name and metadata.namespace, by their path in selectors.
   * A value that is absent reads "". Read when an object is written, and kept beside its bytes.
   */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;

  /** Objects disappear by themselves after so many milliseconds. */
  readonly timeToLive?: number;

  /** Resets what clients may not set. The metadata and the status of a kind with a status
   * subresource have already been reset. */
  prepareForCreate?(object: T, context: WriteContext): void;

  /** The same for an update. The status has already been taken from `old` if the kind has the
   * subresource; generation is computed after this. */
  prepareForUpdate?(object: T, old: Readonly<T>, context: WriteContext): void;

  /** What is wrong with the object; its metadata has been checked already. */
  validate?(object: Readonly<T>, context: WriteContext): FieldError[];

  /** What must not change, where that is said after what is wrong with the change of the metadata and
   * before what is wrong with the metadata as a whole. */
  validateFixed?(object: Readonly<T>, old: Readonly<T>, context: WriteContext): FieldError[];

  /** What an update finds wrong with the object itself, where that is said before what is wrong with
   * the change of its metadata. */
  revalidate?(object: Readonly<T>, old: Readonly<T>, context: WriteContext): FieldError[];

  /** What is wrong with the change, `validate` not included: say it here if an update runs it too. */
  validateUpdate?(object: Readonly<T>, old: Readonly<T>, context: WriteContext): FieldError[];

  /**
   * What is found out by rules that clients wrote, which may take a while; told after everything
   * else, which is `errors`. `old` is undefined on create.
   */
  examine?(change: ExaminedChange<T>, context: WriteContext): Promise<FieldError[]>;

  /** Texts for Warning headers, on create and update of the object itself. */
  warnings?(object: Readonly<T>, old: Readonly<T> | undefined): readonly string[];

  /** Changes and checks by subresources that speak the kind itself: status, finalize, approval... */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy<T>>>;

  /**
   * Deletion that gives the holder of the object time: the seconds until it may be removed; 0 at
   * once. Undefined: this kind has no graceful deletion. `wanted` is what the client asked for. Called
   * again for an object that is already terminating.
   */
  deletionGrace?(object: Readonly<T>, wanted: number | undefined): number | undefined;

  /** Texts for Warning headers of a deletion with these options. */
  warningsOnDelete?(options: Readonly<DeleteOptions>): readonly string[];

  /** Deletion begins without a word about dependents, whatever the client asks for. */
  readonly ignoresPropagation?: boolean;

  /** Refuses a deletion (throws an ApiError), or changes the object as deletion begins. */
  prepareForDelete?(object: T, context: WriteContext): void;

  /**
   * Whether an object whose finalizers are gone and whose grace is over still has to stay
   * (a namespace with spec.finalizers). Default: no.
   */
  mustStay?(object: Readonly<T>): boolean;

  /**
   * What has to be written in the same commit: other objects, and claims (a port, an address) that
   * only one object may hold. Called again when a claim was taken by somebody else meanwhile, so it
   * may choose anew and write its choice into `change.object`.
   */
  companions?(change: Change<T>, context: WriteContext): readonly Companion[];
}

/** How one subresource changes the object. Whatever it may not change must be taken from `old`. */
export interface SubresourceStrategy<T extends KubernetesObject = KubernetesObject> {
  /** Texts for Warning headers. */
  warnings?(object: Readonly<T>, old: Readonly<T>): readonly string[];
  prepareForUpdate(object: T, old: Readonly<T>, context: WriteContext): void;
  validateUpdate?(object: Readonly<T>, old: Readonly<T>, context: WriteContext): FieldError[];
}

export interface ExaminedChange<T extends KubernetesObject = KubernetesObject> {
  readonly object: Readonly<T>;
  readonly old: Readonly<T> | undefined;
  readonly errors: readonly FieldError[];
}

/** Both undefined is impossible; `old` undefined is a create, `object` undefined a removal. */
export interface Change<T extends KubernetesObject = KubernetesObject> {
  readonly object: T | undefined;
  readonly old: Readonly<T> | undefined;
}

export type Companion =
  /** Only one holder per `claim` at a time; creating it twice refuses the second. */
  | { readonly action: "claim" | "release"; readonly claim: string }
  | {
      readonly action: "create";
      readonly resource: GroupResource;
      readonly object: KubernetesObject;
    }
  | {
      readonly action: "delete";
      readonly resource: GroupResource;
      readonly namespace?: string;
      readonly name: string;
    };

/** `prefix`: the text is a generateName, to which characters will be added. */
export type NameCheck = (name: string, options: { readonly prefix: boolean }) => readonly string[];

/** What a strategy may know of the request and of the rest of the plane. */
export interface WriteContext {
  readonly operation: "create" | "update" | "delete";
  /** "" for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /** Wall time, milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
  /** Who asks. */
  readonly user: UserInfo;
  readonly reader: ObjectReader;
  /** Settings of the plane that strategies need. */
  readonly settings: PlaneSettings;
  /** Gives others a turn, in the middle of work that takes long. */
  readonly breathe: () => Promise<void>;
  /** Tells the client what does not hold up the write. */
  readonly warn: (text: string) => void;
  /** See WriteScope. */
  readonly keepsManagedFields?: boolean;
}

export interface PlaneSettings {
  /** IPv4 range of Service cluster addresses. */
  readonly serviceClusterIpRange: string;
  /** First and last node port. */
  readonly serviceNodePortRange: readonly [number, number];
  /**
   * Seconds that a watch goes on at least where its client says nothing, and up to twice as long; 0:
   * for ever. Default: 1800.
   */
  readonly minWatchSeconds?: number;
  /** Where a Service is reached, for webhooks. Undefined for its cluster address: the default for all. */
  readonly resolveService?: (service: ServiceLocation) => WebhookAddress | undefined;
}

/** Other objects of the plane as they are now, decoded anew for each asking, in the storage version of their kind. */
export interface ObjectReader {
  get(resource: GroupResource, name: string, namespace?: string): KubernetesObject | undefined;
  list(resource: GroupResource, namespace?: string): Iterable<KubernetesObject>;
  /** The phase of a namespace; undefined where there is none. Not decoded anew while it stays. */
  namespacePhase(name: string): string | undefined;
  /** Whether somebody holds this claim. */
  isClaimed(claim: string): boolean;
}
