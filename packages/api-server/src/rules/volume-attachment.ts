/** The wish to attach a volume to a node, and what came of it. */
import { checkDns1123Subdomain, FieldError, FieldPath } from "@homeostat/object-model";
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeError,
} from "@homeostat/object-model/storage-v1";
import { dns1123Subdomain, fields, type Place, type Rule } from "@homeostat/schema";
import { csiDriverName } from "./checks/csi-driver-names.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";
import { inlineVolumeSpec } from "./volumes/persistent-volume-spec.ts";

const MAX_METADATA_BYTES = 256 * 1024;
const MAX_MESSAGE_BYTES = 1024;
const MAX_INT32 = 2 ** 31 - 1;

const source: Rule<VolumeAttachmentSource> = (value, place) => {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = value ?? {};
  const one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inline === undefined && name === undefined) place.required(one);
  else if (inline !== undefined && name !== undefined) place.forbidden(one);
  else if (name === "") {
    const why = "must specify non empty persistentVolumeName";
    place.child("persistentVolumeName").required(why);
  } else if (inline !== undefined) inlineVolumeSpec(inline, place.child("inlineVolumeSpec"));
};

const volumeError: Rule<VolumeError> = (error, place) => {
  const { message = "", errorCode } = error ?? {};
  // The message names the limit of something else in Kubernetes.
  if (Buffer.byteLength(message) > MAX_MESSAGE_BYTES) addTooLong(place.child("message"));
  if (errorCode === undefined || errorCode >= 0) return;
  place.child("errorCode").invalid(errorCode, `must be between 0 and ${MAX_INT32}, inclusive`);
};

const attachmentMetadata: Rule<{ readonly [key: string]: string }> = (metadata, place) => {
  let size = 0;
  for (const [key, value] of Object.entries(metadata ?? {})) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value ?? "");
  }
  if (size > MAX_METADATA_BYTES) addTooLong(place);
};

function addTooLong(place: Place): void {
  place.add(FieldError.tooLong(place.path ?? FieldPath.of(""), MAX_METADATA_BYTES));
}

const attachmentFields = fields<VolumeAttachment>({
  spec: fields<VolumeAttachmentSpec>({
    attacher: csiDriverName,
    source,
    nodeName: dns1123Subdomain,
  }),
  status: fields<VolumeAttachmentStatus>({
    attachmentMetadata,
    attachError: volumeError,
    detachError: volumeError,
  }),
});

/** Its status too. */
export const volumeAttachment: Rule<VolumeAttachment> = (attachment, place) => {
  attachmentFields(attachment, place);
  const name = attachment?.spec?.source?.persistentVolumeName;
  if (name === undefined) return;
  const at = place.child("spec").child("source").child("persistentVolumeName");
  for (const problem of checkDns1123Subdomain(name)) at.invalid(name, problem);
};

export const volumeAttachmentRules: readonly NamedTypeRules[] = [
  rulesFor<VolumeAttachment>("storage.v1.VolumeAttachment", {
    validate: volumeAttachment,
    validateChange: ({ value }, place) => volumeAttachment(value, place),
  }),
];
