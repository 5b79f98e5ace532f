/**
 * Admission webhooks: programs of users that are asked about writes, over HTTPS. Mutating ones are
 * asked one after the other, by the names of their configurations and their places in them, and may
 * answer with a patch; validating ones all at once. Configurations are followed inside the commit.
 * Start at `mutating-webhooks.ts` and `validating-webhooks.ts`; one call is `webhook-caller.ts`.
 */
import { ApiError } from "@homeostat/object-model";
import type {
  MutatingWebhook,
  ValidatingWebhook,
} from "@homeostat/object-model/admissionregistration-v1";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { Authorizer } from "../../authorization/authorizer.ts";
import { admissionEnvironment } from "../../rules/admission/policy-expressions.ts";
import { admissionBindings } from "../expressions/admission-bindings.ts";
import { MatchConditions } from "../expressions/match-conditions.ts";
import type { AdmissionAttributes, MatchedResource } from "../matching/admission-attributes.ts";
import type { EquivalentResources } from "../matching/equivalent-resources.ts";
import { matchedBy } from "../matching/resource-rules.ts";
import { SelectedLabels } from "../matching/selected-labels.ts";
import type { VersionedChange } from "../matching/versioned-change.ts";

/** What matching a webhook needs of the plane. */
export interface MatchingPlane {
  readonly equivalents: EquivalentResources;
  readonly findNamespace: (name: string) => Readonly<Namespace> | undefined;
  readonly authorizer: Authorizer;
  readonly breathe: () => Promise<void>;
}

/** One webhook of a configuration. */
export class RegisteredWebhook {
  readonly webhook: MutatingWebhook | ValidatingWebhook;
  readonly configuration: string;
  /** Tells it from all others, also of one name in one configuration. */
  readonly id: string;
  readonly #labels: SelectedLabels;
  #conditions: MatchConditions | undefined;

  constructor(
    webhook: MutatingWebhook | ValidatingWebhook,
    { configuration, place }: { readonly configuration: string; readonly place: number },
  ) {
    this.webhook = webhook;
    this.configuration = configuration;
    this.id = `${configuration}/${webhook.name}/${place}`;
    this.#labels = new SelectedLabels(webhook);
  }

  get ignoresFailures(): boolean {
    return this.webhook.failurePolicy === "Ignore";
  }

  /** What of the request it is to be asked about; undefined: nothing. Conditions come after. */
  match(attributes: AdmissionAttributes, plane: MatchingPlane): MatchedResource | undefined {
    const { rules = [], matchPolicy } = this.webhook;
    const equivalents = matchPolicy === "Equivalent" ? plane.equivalents : undefined;
    const matched = matchedBy(rules, attributes, equivalents);
    if (matched === undefined || !this.#labels.selectsObject(attributes)) return undefined;
    const inNamespace = this.#labels.selectsNamespace(attributes, plane.findNamespace);
    if (inNamespace instanceof ApiError) throw inNamespace;
    return inNamespace ? matched : undefined;
  }

  get hasConditions(): boolean {
    return (this.webhook.matchConditions ?? []).length > 0;
  }

  /** Whether its conditions are true. Throws Forbidden where that cannot be said. */
  async meetsConditions(
    input: {
      readonly attributes: AdmissionAttributes;
      readonly matched: MatchedResource;
      readonly versioned: VersionedChange;
    },
    { authorizer, breathe }: MatchingPlane,
  ): Promise<boolean> {
    this.#conditions ??= new MatchConditions(
      this.webhook.matchConditions ?? [],
      admissionEnvironment({ params: false, authorizer: true }),
      this.webhook.failurePolicy,
    );
    const bindings = admissionBindings({ ...input, authorizer });
    const verdict = await this.#conditions.judge(bindings, { breathe });
    if (typeof verdict === "boolean") return verdict;
    const { resource, name } = input.attributes;
    throw ApiError.forbidden(resource, name, verdict.problem);
  }
}

/** The webhooks of one configuration, in their order. */
export function registeredWebhooks({
  metadata,
  webhooks = [],
}: {
  readonly metadata: { readonly name?: string };
  readonly webhooks?: readonly (MutatingWebhook | ValidatingWebhook)[];
}): readonly RegisteredWebhook[] {
  const configuration = metadata.name ?? "";
  return webhooks.map((webhook, place) => new RegisteredWebhook(webhook, { configuration, place }));
}
