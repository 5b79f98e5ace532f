import type { Clock, Random } from "@homeostat/concurrency";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { ServerFigures } from "../figures/server-figures.ts";
import type { ObjectReader, PlaneSettings } from "../registry/strategy.ts";
import type { WebhookClient } from "../webhooks/webhook-client.ts";
import type { AdmissionPlugin } from "./admission.ts";
import type { KnownObjects, KnownObjectsPlane } from "./known-objects.ts";
import { EquivalentResources, type ServedResources } from "./matching/equivalent-resources.ts";
import { MutatingAdmissionPolicies } from "./policies/mutating-policies.ts";
import { PolicyParams } from "./policies/policy-params.ts";
import { ValidatingAdmissionPolicies } from "./policies/validating-policies.ts";
import { MutatingAdmissionWebhook } from "./webhooks/mutating-webhooks.ts";
import { ValidatingAdmissionWebhook } from "./webhooks/validating-webhooks.ts";
import { WebhookCaller } from "./webhooks/webhook-caller.ts";

export interface UserDefinedPlane extends KnownObjectsPlane {
  readonly table: KnownObjectsPlane["table"] & ServedResources;
  readonly clock: Clock;
  readonly random: Random;
  readonly authorizer: Authorizer;
  readonly reader: ObjectReader;
  readonly webhooks: WebhookClient;
  readonly settings: PlaneSettings;
  readonly figures: ServerFigures;
}

/** Those that ask what users wrote: policies and webhooks, in kube-apiserver's order. */
export function userDefinedPlugins(
  plane: UserDefinedPlane,
  namespaces: KnownObjects<Namespace>,
): readonly (AdmissionPlugin & Disposable)[] {
  const { store, table, clock, random, authorizer, reader } = plane;
  const shared = {
    store,
    table,
    authorizer,
    clock,
    figures: plane.figures,
    equivalents: new EquivalentResources(table),
    findNamespace: (name: string) => namespaces.get(name),
    breathe: () => new Promise<void>((resolve) => clock.endOfTurn(resolve)),
  };
  const { resolveService } = plane.settings;
  const caller = new WebhookCaller({
    clock,
    random,
    reader,
    client: plane.webhooks,
    resolveService,
    figures: plane.figures.admission,
  });
  const params = new PolicyParams({ store, table });
  return [
    new MutatingAdmissionPolicies({ ...shared, params }),
    new MutatingAdmissionWebhook({ ...shared, caller }),
    new ValidatingAdmissionPolicies({ ...shared, params }),
    new ValidatingAdmissionWebhook({ ...shared, caller }),
  ];
}
