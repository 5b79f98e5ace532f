/** Priority levels of flow control. */
import { annotationOf } from "@homeostat/object-model";
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "@homeostat/object-model/flowcontrol-v1";
import { all, type ChangeRule, fields, ifPresent, inRange, type Rule } from "@homeostat/schema";
import { internalForm, sameInternal } from "../resources/internal-form.ts";
import { EXEMPT, mandatoryLevels } from "./flow-control/mandatory-objects.ts";
import { typedConditions } from "./flow-control/typed-conditions.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

const SPEC = "flowcontrol.PriorityLevelConfigurationSpec";
/** Only a former version of the API has it. */
const KEPT_ZERO = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
const MAX_QUEUES = 10_000_000;
const MAX_ENTROPY = 60;

export const priorityLevelRules: readonly NamedTypeRules[] = [
  rulesFor<PriorityLevelConfiguration>("flowcontrol.v1.PriorityLevelConfiguration", {
    validate: (level, place) => priorityLevel(level, place),
    validateChange: ({ value }, place) => priorityLevel(value, place),
  }),
  rulesFor<ExemptPriorityLevelConfiguration>("flowcontrol.v1.ExemptPriorityLevelConfiguration", {
    defaults: { nominalConcurrencyShares: 0, lendablePercent: 0 },
  }),
  rulesFor<LimitedPriorityLevelConfiguration>("flowcontrol.v1.LimitedPriorityLevelConfiguration", {
    defaults: { nominalConcurrencyShares: 30, lendablePercent: 0 },
  }),
  rulesFor<QueuingConfiguration>("flowcontrol.v1.QueuingConfiguration", {
    defaults: { handSize: 8, queues: 64, queueLengthLimit: 50 },
  }),
];

function notNegative(why: string): Rule<number> {
  return (value = 0, place) => {
    if (value < 0) place.invalid(value, why);
  };
}

const shares = notNegative("must be a non-negative integer");
const percent = ifPresent(inRange(0, 100));

const mustBePositive: Rule<number> = (value = 0, place) => {
  if (value <= 0) place.invalid(value, "must be positive");
};

/** A hand of queues is dealt by a hash, which has so many bits and no more. */
const hand: Rule<QueuingConfiguration> = (queuing, place) => {
  const { queues = 0, handSize = 0 } = queuing ?? {};
  const at = place.child("handSize");
  if (handSize <= 0) at.invalid(handSize, "must be positive");
  else if (handSize > queues) {
    at.invalid(handSize, `should not be greater than queues (${queues})`);
  } else if (Math.ceil(Math.log2(queues) * handSize) > MAX_ENTROPY) {
    const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_ENTROPY}`;
    at.invalid(handSize, why);
  }
};

const queueCount: Rule<number> = (value = 0, place) => {
  mustBePositive(value, place);
  if (value > MAX_QUEUES) place.invalid(value, `must not be greater than ${MAX_QUEUES}`);
};

const queuing = all(
  fields<QueuingConfiguration>({ queueLengthLimit: mustBePositive, queues: queueCount }),
  hand,
);

const limitResponse: Rule<LimitResponse> = (response, place) => {
  const type = response?.type ?? "";
  const queues = response?.queuing;
  const at = place.child("queuing");
  if (type === "Reject") {
    if (queues) at.forbidden("must be nil if limited.limitResponse.type is not Limited");
  } else if (type !== "Queue") unknownType(type, ["Queue", "Reject"])(response, place);
  else if (queues) queuing(queues, at);
  else at.required("must not be empty if limited.limitResponse.type is Limited");
};

function unknownType(type: string, known: readonly string[]): Rule<unknown> {
  return (_, place) => {
    if (type === "") place.child("type").required();
    else place.child("type").notSupported(type, known);
  };
}

const limited = fields<LimitedPriorityLevelConfiguration>({
  nominalConcurrencyShares: shares,
  limitResponse,
  lendablePercent: percent,
  borrowingLimitPercent: notNegative("if specified, must be a non-negative integer"),
});

const exempt = fields<ExemptPriorityLevelConfiguration>({
  nominalConcurrencyShares: shares,
  lendablePercent: percent,
});

function levelSpec(name: string): Rule<PriorityLevelConfigurationSpec> {
  return (spec, place) => {
    const type = spec?.type ?? "";
    if ((name === EXEMPT) !== (type === "Exempt")) {
      place.child("type").invalid(type, "must be 'Exempt' if and only if `name` is 'exempt'");
    }
    if (type === "Exempt") {
      if (spec?.limited) {
        place.child("limited").forbidden("must be nil if the type is not Limited");
      }
      ifPresent(exempt)(spec?.exempt, place.child("exempt"));
    } else if (type === "Limited") {
      if (spec?.exempt) place.child("exempt").forbidden("must be nil if the type is Limited");
      if (spec?.limited) limited(spec.limited, place.child("limited"));
      else place.child("limited").required("must not be empty when type is Limited");
    } else unknownType(type, ["Exempt", "Limited"])(spec, place);
  };
}

/** Of the exempt level, the part that says how exempt it is may be changed. */
function fixedSpec(name: string): Rule<PriorityLevelConfigurationSpec> {
  return (spec, place) => {
    const fixed = mandatoryLevels.get(name);
    if (fixed === undefined) return;
    const compared = name === EXEMPT ? { ...spec, exempt: fixed.exempt } : spec;
    if (sameInternal(SPEC, compared, fixed)) return;
    const except = name === EXEMPT ? " except the 'spec.exempt' field" : "";
    const why = `spec of '${name}'${except} must equal the fixed value`;
    place.invalid(internalForm(SPEC, spec), why);
  };
}

const priorityLevel: Rule<PriorityLevelConfiguration, RuleContext> = (level, place) => {
  const name = level?.metadata?.name ?? "";
  if (level && annotationOf(level, KEPT_ZERO) !== undefined) {
    const at = place.child("metadata").child("annotations");
    at.forbidden(`annotation '${KEPT_ZERO}' is forbidden`);
  }
  all(levelSpec(name), fixedSpec(name))(level?.spec, place.child("spec"));
  conditionsOf(level, place);
};

const conditionsOf: Rule<PriorityLevelConfiguration> = (level, place) =>
  typedConditions(level?.status?.conditions, place.child("status").child("conditions"));

export const priorityLevelStatusChange: ChangeRule<PriorityLevelConfiguration, RuleContext> = (
  { value },
  place,
) => conditionsOf(value, place);
