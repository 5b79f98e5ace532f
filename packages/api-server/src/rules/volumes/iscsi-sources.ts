/** iSCSI: the same target for pods and persistent volumes, which are named by other rules. */
import type {
  ISCSIPersistentVolumeSource,
  ISCSIVolumeSource,
} from "@homeostat/object-model/core-v1";
import { type Place, type Rule, required } from "@homeostat/schema";
import { lunNumber } from "./network-sources.ts";

const EUI = /^eui[^\n][A-Za-z0-9]{16}$/u;
const NAA = /^naa[^\n][A-Za-z0-9]{32}$/u;
const FORMATS: readonly (readonly [string, (name: string) => boolean])[] = [
  ["iqn", isIqn],
  ["eui", (name) => EUI.test(name)],
  ["naa", (name) => NAA.test(name)],
];

const MAX_NAME_BYTES = 64;
const NAME_TOO_LONG =
  "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";

export const iscsi: Rule<ISCSIVolumeSource> = (source, place) => {
  required(source?.targetPortal, place.child("targetPortal"));
  const unknown = "must be valid format starting with iqn, eui, or naa";
  checkTarget(source, place, { unknown });
};

/** What is said of the volume itself. */
export function iscsiVolumeName(
  { name = "", iscsi: source }: { name?: string; iscsi?: ISCSIVolumeSource },
  place: Place,
): void {
  if (isNameTooLong(name, source)) place.child("name").invalid(name, NAME_TOO_LONG);
}

export function persistentIscsi(volumeName: string): Rule<ISCSIPersistentVolumeSource> {
  return (source, place) => {
    const portal = source?.targetPortal ?? "";
    required(portal, place.child("targetPortal"));
    if (isNameTooLong(volumeName, source)) {
      place.child("targetportal").invalid(portal, NAME_TOO_LONG);
    }
    checkTarget(source, place, {
      unknown: "must be valid format",
      secret(at) {
        if (source?.secretRef) required(source.secretRef.name, at.child("name"));
      },
    });
  };
}

function isNameTooLong(name: string, source: Partial<ISCSIVolumeSource> | undefined): boolean {
  if (source?.initiatorName === undefined) return false;
  return Buffer.byteLength(`${name}:${source.targetPortal ?? ""}`) > MAX_NAME_BYTES;
}

function checkTarget(
  source: Partial<ISCSIVolumeSource | ISCSIPersistentVolumeSource> | undefined,
  place: Place,
  words: { readonly unknown: string; readonly secret?: (place: Place) => void },
): void {
  const { iqn = "", lun = 0, initiatorName } = source ?? {};
  if (iqn === "") place.child("iqn").required();
  else checkName(iqn, place.child("iqn"), words.unknown);
  lunNumber(lun, place.child("lun"));
  const secret = place.child("secretRef");
  if ((source?.chapAuthDiscovery || source?.chapAuthSession) && !source.secretRef) {
    secret.required();
  }
  words.secret?.(secret);
  if (initiatorName !== undefined) {
    checkName(initiatorName, place.child("initiatorname"), words.unknown);
  }
}

function checkName(name: string, place: Place, unknown: string): void {
  const format = FORMATS.find(([prefix]) => name.startsWith(prefix));
  if (format === undefined) place.invalid(name, unknown);
  else if (!format[1](name)) place.invalid(name, "must be valid format");
}

const NOT_IN_DISK_NAME = /[,;*&$|\t\n\f\r ]/;
const IN_AUTHORITY = /[A-Za-z0-9.-]/;
const DATED_AUTHORITY = /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]/;

/**
 * Whether the text ends as `iqn.2015-02.com.example:disk` does; what comes before does not matter.
 * Not one expression, which would take the square of the length to find out.
 */
function isIqn(text: string): boolean {
  const parts = text.split(":");
  let disk = parts.pop() ?? "";
  for (const part of parts.reverse()) {
    if (NOT_IN_DISK_NAME.test(disk)) return false;
    const isDiskNamed = disk !== "";
    if (isDiskNamed && endsWithAuthority(part)) return true;
    // What has been looked at is not looked at again.
    disk = `${part}:`;
  }
  return false;
}

function endsWithAuthority(text: string): boolean {
  let start = text.length;
  while (start > 0 && IN_AUTHORITY.test(text[start - 1]!)) start--;
  return DATED_AUTHORITY.test(text.slice(start));
}
