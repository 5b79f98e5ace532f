import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { AdmissionRequest } from "../admission/admission.ts";

/** What a write belongs to, beside the object. */
export interface WriteScope {
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Given for large objects: lets others have a turn between the steps of the work. */
  readonly breathe?: () => Promise<void>;
  /** A whole object (PUT) is meant for the object with its uid; a change (PATCH) cannot change it. */
  readonly uidPrecondition?: boolean;
  /** Whatever the kind does: an update of what does not exist creates it. */
  readonly createIfAbsent?: boolean;
  /** Asked before an update creates what does not exist: throws where its user may only update. */
  readonly mayCreate?: () => void;
  /** An object that is too large is refused, where others are kept without their managed fields. */
  readonly keepsManagedFields?: boolean;
  /** What plugins are told of it. Without it nobody is asked: the server writes by itself. */
  readonly admission?: AdmissionRequest;
  /** Where the kind's warnings are left for the client. */
  readonly warnings?: string[];
}

/** A state of an object: what the store gives, or what was just written. */
export interface ObjectState {
  /** As the store keeps it (stored-object.ts); ask for it again after waiting for anything. */
  readonly value: Uint8Array;
  /** 0 when nothing was written (a dry run of a create). */
  readonly revision: number;
}

export interface WriteOutcome extends ObjectState {
  readonly created: boolean;
}
