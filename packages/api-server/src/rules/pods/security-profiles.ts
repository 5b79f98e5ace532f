/** Seccomp and AppArmor profiles of pods and containers. */
import { FieldError } from "@homeostat/object-model";
import type { AppArmorProfile, SeccompProfile } from "@homeostat/object-model/core-v1";
import type { Place, Rule } from "@homeostat/schema";
import { internalForm } from "../../resources/internal-form.ts";
import { descendingPath } from "../checks/paths.ts";

const PROFILE_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];
const LOCALHOST_PROFILE_MAX = 4095;

export const seccompProfileRule: Rule<Partial<SeccompProfile>> = (profile, place) => {
  if (profile === undefined) return;
  const { type = "", localhostProfile } = profile;
  const at = place.child("type");
  if (type === "") at.required("type is required when seccompProfile is set");
  else if (!PROFILE_TYPES.includes(type)) at.notSupported(type, PROFILE_TYPES);
  const named = place.child("localhostProfile");
  if (type !== "Localhost") {
    if (localhostProfile !== undefined) {
      const shown = internalForm("SeccompProfile", profile);
      named.invalid(shown, "can only be set when seccomp type is Localhost");
    }
  } else if (localhostProfile === undefined) {
    named.required("must be set when seccomp type is Localhost");
  } else descendingPath(localhostProfile, named);
};

export const appArmorProfileRule: Rule<Partial<AppArmorProfile>> = (profile, place) => {
  if (profile === undefined) return;
  const { type = "", localhostProfile } = profile;
  const named = place.child("localhostProfile");
  switch (type) {
    case "Localhost":
      checkLocalhostProfile(localhostProfile, named);
      return;
    case "RuntimeDefault":
    case "Unconfined":
      if (localhostProfile !== undefined) {
        named.invalid(localhostProfile, "can only be set when AppArmor type is Localhost");
      }
      return;
    case "":
      place.child("type").required("type is required when appArmorProfile is set");
      return;
    default:
      place.child("type").notSupported(type, PROFILE_TYPES);
  }
};

function checkLocalhostProfile(profile: string | undefined, place: Place): void {
  if (profile === undefined || profile === "") {
    place.required("must be set when AppArmor type is Localhost");
  } else if (profile.trim() !== profile) {
    place.invalid(profile, "must not be padded with whitespace");
  }
  if (Buffer.byteLength(profile ?? "") > LOCALHOST_PROFILE_MAX && place.path !== undefined) {
    place.add(FieldError.tooLong(place.path, LOCALHOST_PROFILE_MAX));
  }
}
