/** How a container is confined. */
import type { SecurityContext } from "@homeostat/object-model/core-v1";
import { fields, ifPresent, type Rule } from "@homeostat/schema";
import { internalForm } from "../../resources/internal-form.ts";
import { optionalChoice } from "../checks/choices.ts";
import { groupId, userId } from "../checks/posix-ids.ts";
import type { PodFacts } from "../pod-facts.ts";
import { appArmorProfileRule, seccompProfileRule } from "./security-profiles.ts";
import { windowsOptionsRule } from "./windows-options.ts";

/** The pod's users are the host's unless it says otherwise. */
function sharesHostUsers(facts: PodFacts): boolean {
  return facts.spec.hostUsers !== false;
}

const unmaskedNeedsOwnUsers: Rule<string, PodFacts> = (value, place) => {
  if (value === "Unmasked" && sharesHostUsers(place.context)) {
    place.invalid(value, "`hostUsers` must be false to use `Unmasked`");
  }
};

/** Whoever may not gain privileges must not have them all from the start. */
const escalation: Rule<SecurityContext, PodFacts> = (context, place) => {
  if (context?.allowPrivilegeEscalation !== false) return;
  const refuse = (privilege: string): void => {
    const why = `cannot set \`allowPrivilegeEscalation\` to false and ${privilege}`;
    place.invalid(internalForm("SecurityContext", context), why);
  };
  if (context.privileged) refuse("`privileged` to true");
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === "CAP_SYS_ADMIN") refuse("`capabilities.Add` CAP_SYS_ADMIN");
  }
};

const before = fields<SecurityContext, PodFacts>({
  runAsUser: ifPresent(userId),
  runAsGroup: ifPresent(groupId),
  procMount: [optionalChoice("Default", "Unmasked"), unmaskedNeedsOwnUsers],
  seccompProfile: seccompProfileRule,
});

const after = fields<SecurityContext, PodFacts>({
  windowsOptions: windowsOptionsRule,
  appArmorProfile: appArmorProfileRule,
});

export const securityContextRule: Rule<SecurityContext, PodFacts> = (context, place) => {
  if (context === undefined) return;
  before(context, place);
  escalation(context, place);
  after(context, place);
};
