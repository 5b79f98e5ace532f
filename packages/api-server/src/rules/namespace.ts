/** Namespaces. The `kubernetes` finalizer comes from the strategy. */
import type { Namespace, NamespaceStatus } from "@homeostat/object-model/core-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const namespaceRules: readonly NamedTypeRules[] = [
  rulesFor<Namespace>("core.v1.Namespace", { setDefaults: labelWithName }),
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
