/**
 * Admission: who may change what is written, and refuse it, beside the kind's own rules. Every write of
 * a client passes here, those of subresources included; what the server writes by itself does not.
 *
 * Order of a write: decode, defaults, managed fields -> mutate -> the kind's strategy and rules ->
 * validate -> confirm -> commit. A write that meets another one begins again, so plugins may see a change more
 * than once; a dry run passes through all of it.
 */
import type { GroupVersionKind, KubernetesObject } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import type { ServedResource } from "../registry/served-resource.ts";
import type { MutationRounds } from "./mutation-rounds.ts";

type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What is to be written. */
export interface AdmittedChange {
  readonly operation: AdmissionOperation;
  /**
   * In the version that is kept, or the body of a subresource that is of another kind (Scale, Binding,
   * ...). A mutating plugin changes it, or puts another one in its place. Undefined when deleting.
   */
  object: KubernetesObject | undefined;
  /** Undefined when creating. */
  readonly old: Readonly<KubernetesObject> | undefined;
  /** Where webhooks and policies were asked that may be asked again. */
  rounds?: MutationRounds;
}

/** What it belongs to: the same through all steps and tries of one request. */
export interface AdmissionRequest {
  /** The resource in the version that was asked for. */
  readonly served: ServedResource;
  /** Of the object in the request: the resource's, or that of the subresource's body. */
  readonly kind: GroupVersionKind;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  /** "" where the name is still to be made. */
  readonly name: string;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** As given: "" where the client says nothing. */
  readonly fieldManager: string;
  readonly fieldValidation: string;
  /** Of a deletion. */
  readonly deleteOptions?: DeleteOptions;
  readonly signal: AbortSignal | undefined;
  /** When the time of the request is over, by the monotonic clock. */
  readonly deadline: number;
  /** Tells the client what does not hold up the write. */
  readonly warn: (text: string) => void;
  /** Notes for the audit log. */
  readonly annotate: (key: string, value: string, options?: NoteOptions) => void;
}

export interface NoteOptions {
  /** It tells something of the body, which is not for every log. */
  readonly ofBody?: boolean;
}

export interface AdmissionPlugin {
  /** As clients of kube-apiserver switch it off by. */
  readonly name: string;
  /** The resources it looks at: `pods`, `deployments.apps`; with all their subresources. Default: all. */
  readonly resources?: readonly string[];
  /** May change `change.object`; refuses by throwing an ApiError. */
  mutate?(change: AdmittedChange, request: AdmissionRequest): void | Promise<void>;
  /** Refuses by throwing an ApiError; changes nothing. */
  validate?(change: Readonly<AdmittedChange>, request: AdmissionRequest): void | Promise<void>;
  /**
   * Asked right before something new is committed, with nobody waited for in between: for what may
   * have changed while others were asked. Refuses by throwing an ApiError.
   */
  confirm?(change: Readonly<AdmittedChange>, request: AdmissionRequest): void;
}
