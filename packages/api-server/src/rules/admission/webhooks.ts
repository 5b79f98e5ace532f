import { checkDns1123Subdomain } from "@homeostat/object-model";
import type {
  MatchCondition,
  MutatingWebhook,
  MutatingWebhookConfiguration,
} from "@homeostat/object-model/admissionregistration-v1";
import {
  type ChangeRule,
  dns1035Label,
  each,
  fields,
  ifPresent,
  oneOf,
  type Rule,
} from "@homeostat/schema";
import { sameForm } from "../../resources/internal-form.ts";
import { isRefused } from "../checks/is-refused.ts";
import { labelSelector, labelSelectorOfAnyValues } from "../checks/label-selectors.ts";
import { webhookAddress } from "../checks/webhook-addresses.ts";
import { matchConditions } from "./match-conditions.ts";
import { matchPolicy } from "./match-resources.ts";
import { ruleWithOperations } from "./match-rules.ts";

/** Webhooks that only look have no reinvocation policy; they are the same for the rest. */
type Webhook = MutatingWebhook;
type Configuration = Pick<MutatingWebhookConfiguration, "webhooks">;

/** What an update may keep because it was so before. */
interface WebhookFacts {
  readonly sameConditions?: boolean;
  readonly anySideEffects?: boolean;
  readonly anyReviewVersions?: boolean;
  readonly anyNames?: boolean;
  readonly anyLabelValues?: boolean;
}

const HARMLESS = ["None", "NoneOnDryRun"];
const SIDE_EFFECTS = ["None", "NoneOnDryRun", "Some", "Unknown"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];
const MAX_TIMEOUT = 30;

export const failurePolicy: Rule<string> = oneOf("Fail", "Ignore");
export const reinvocationPolicy: Rule<string> = oneOf("IfNeeded", "Never");

const domainName: Rule<string> = (name = "", place) => {
  if (name === "") return place.required();
  const problems = checkDns1123Subdomain(name);
  if (problems.length > 0) return place.invalid(name, problems.join(","));
  if (name.split(".").length < 3) {
    place.invalid(name, "should be a domain with at least three segments separated by dots");
  }
};

function sideEffects(known: readonly string[]): Rule<string> {
  return (value, place) => {
    if (value === undefined) place.required(`must specify one of ${known.join(", ")}`);
    else if (!known.includes(value)) place.notSupported(value, known);
  };
}

const timeoutSeconds: Rule<number> = (value, place) => {
  if (value === undefined || (value >= 1 && value <= MAX_TIMEOUT)) return;
  place.invalid(value, `the timeout value must be between 1 and ${MAX_TIMEOUT} seconds`);
};

function reviewVersions(requiresKnown: boolean): Rule<readonly string[]> {
  return (versions = [], place) => {
    const known = REVIEW_VERSIONS.join(", ");
    if (versions.length === 0) return place.required(`must specify one of ${known}`);
    const seen = new Set<string>();
    for (const [index, version] of versions.entries()) {
      const at = place.index(index);
      if (seen.has(version)) at.invalid(version, "duplicate version");
      else dns1035Label(version, at);
      seen.add(version);
    }
    if (requiresKnown && !speaksKnownVersion(versions)) {
      place.invalid(versions, `must include at least one of ${known}`);
    }
  };
}

function speaksKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}

function webhookRule(facts: WebhookFacts): Rule<Webhook> {
  const selector = ifPresent(facts.anyLabelValues ? labelSelectorOfAnyValues : labelSelector);
  return fields<Webhook>({
    name: domainName,
    rules: each(ruleWithOperations),
    failurePolicy: ifPresent(failurePolicy),
    matchPolicy: ifPresent(matchPolicy),
    sideEffects: sideEffects(facts.anySideEffects ? SIDE_EFFECTS : HARMLESS),
    timeoutSeconds,
    namespaceSelector: selector,
    objectSelector: selector,
    reinvocationPolicy: ifPresent(reinvocationPolicy),
    clientConfig: webhookAddress,
    matchConditions: facts.sameConditions ? [] : matchConditions({ params: false }),
    admissionReviewVersions: reviewVersions(!facts.anyReviewVersions),
  });
}

function configurationRule(facts: WebhookFacts): Rule<Configuration> {
  const rule = webhookRule(facts);
  return (configuration, place) => {
    const names = new Set<string>();
    for (const [index, webhook] of (configuration?.webhooks ?? []).entries()) {
      const at = place.child("webhooks").index(index);
      rule(webhook, at);
      const name = webhook?.name ?? "";
      if (facts.anyNames || name === "") continue;
      if (names.has(name)) at.child("name").duplicate(name);
      names.add(name);
    }
  };
}

export const webhookConfiguration: Rule<Configuration> = configurationRule({});

export const webhookConfigurationChange: ChangeRule<Configuration> = ({ value, old }, place) => {
  const before = old?.webhooks ?? [];
  configurationRule({
    sameConditions: sameForm(conditionsOf(value), conditionsOf(old)),
    anySideEffects: before.some((webhook) => !HARMLESS.includes(webhook?.sideEffects ?? "")),
    anyReviewVersions: before.some((webhook: Partial<Webhook>) => {
      const { admissionReviewVersions: versions = [] } = webhook;
      return versions.length > 0 && !speaksKnownVersion(versions);
    }),
    anyNames: new Set(before.map((webhook) => webhook?.name)).size < before.length,
    anyLabelValues: before.some(
      (webhook) =>
        isRefused(labelSelector, webhook?.namespaceSelector) ||
        isRefused(labelSelector, webhook?.objectSelector),
    ),
  })(value, place);
};

function conditionsOf(configuration: Configuration | undefined): readonly MatchCondition[][] {
  return (configuration?.webhooks ?? []).map((webhook) => webhook?.matchConditions ?? []);
}
