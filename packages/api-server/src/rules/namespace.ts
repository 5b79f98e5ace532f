/** Namespaces. The `kubernetes` finalizer comes from the strategy. */
import { isBeingDeleted } from "@homeostat/object-model";
import type { Namespace, NamespaceStatus } from "@homeostat/object-model/core-v1";
import { type ChangeRule, each, qualifiedName, type Rule } from "@homeostat/schema";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";

export const namespaceRules: readonly NamedTypeRules[] = [
  rulesFor<Namespace>("core.v1.Namespace", {
    setDefaults: labelWithName,
    validate: (namespace, place) => finalizers(namespace, place),
  }),
  rulesFor<NamespaceStatus>("core.v1.NamespaceStatus", { defaults: { phase: "Active" } }),
];

/**
 * Always the name, whatever the client wrote. With generateName the name is not known yet, and the
 * strategy has to do it.
 */
function labelWithName(namespace: Unchecked<Namespace>): void {
  const { metadata } = namespace;
  if (!metadata?.name) return;
  metadata.labels ??= {};
  metadata.labels["kubernetes.io/metadata.name"] = metadata.name;
}

/** Finalizers whose names have no domain. */
const STANDARD = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

const finalizer: Rule<string> = (name = "", place) => {
  qualifiedName(name, place);
  if (name.includes("/") || STANDARD.has(name)) return;
  place.invalid(name, "name is neither a standard finalizer name nor is it fully qualified");
};

/** Errors name the list. */
const finalizers: Rule<Namespace> = (namespace, place) => {
  const at = place.child("spec").child("finalizers");
  for (const name of namespace?.spec?.finalizers ?? []) finalizer(name, at);
};

/** Of an update, before what changed. */
export const namespaceAgain: ChangeRule<Namespace, RuleContext> = ({ value }, place) =>
  finalizers(value, place);

/** Through the subresource; here errors name the finalizer. */
export const namespaceFinalizeChange: ChangeRule<Namespace, RuleContext> = ({ value }, place) =>
  each(finalizer)(value?.spec?.finalizers, place.child("spec").child("finalizers"));

/** The phase follows from whether it is being deleted. */
export const namespaceStatusChange: ChangeRule<Namespace, RuleContext> = ({ value }, place) => {
  const phase = value?.status?.phase ?? "";
  const [expected, when] =
    value !== undefined && isBeingDeleted(value)
      ? ["Terminating", "is not empty"]
      : ["Active", "is empty"];
  if (phase === expected) return;
  const why = `may only be '${expected}' if \`deletionTimestamp\` ${when}`;
  place.child("status").child("Phase").invalid(phase, why);
};
