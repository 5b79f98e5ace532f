/** Controller revisions: what a controller remembers of a former template, and never changes. */
import { encodeJson } from "@homeostat/object-model";
import type { ControllerRevision } from "@homeostat/object-model/apps-v1";
import { type ChangeRule, changedFields, fields, nonNegative, type Rule } from "@homeostat/schema";
import { FIELD_IS_IMMUTABLE } from "../resources/field-checks.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

type Data = NonNullable<ControllerRevision["data"]>;

const data: Rule<Data> = (value, place) => {
  if (value === undefined || value === null) place.required("data is mandatory");
  else if (typeof value !== "object" || Array.isArray(value)) {
    place.required("data must be a valid JSON object");
  }
};

/** Compared as text: another order of its keys is another revision. */
const sameData: ChangeRule<Data> = ({ value, old }, place) => {
  if (encodeJson(value ?? null) !== encodeJson(old ?? null)) {
    place.invalid(value ?? null, FIELD_IS_IMMUTABLE);
  }
};

const revision = fields<ControllerRevision>({ revision: nonNegative });

export const controllerRevisionRules: readonly NamedTypeRules[] = [
  rulesFor<ControllerRevision>("apps.v1.ControllerRevision", {
    validate: fields<ControllerRevision, RuleContext>({ revision: nonNegative, data }),
    validateChange(change, place) {
      revision(change.value, place);
      changedFields<ControllerRevision>({ data: sameData })(change, place);
    },
  }),
];
