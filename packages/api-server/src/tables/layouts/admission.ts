import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@homeostat/object-model/admissionregistration-v1";
import type { LabelSelector } from "@homeostat/object-model/meta-v1";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { type Cell, layout, type Printed, type TableLayout } from "../table.ts";

export const MUTATING_WEBHOOKS: TableLayout = layout<MutatingWebhookConfiguration>({
  columns: [
    NAME,
    column(
      "Webhooks",
      "Webhooks indicates the number of webhooks registered in this configuration",
      "integer",
    ),
    AGE,
  ],
  cells: (hooks, now) => [nameOf(hooks), hooks.webhooks?.length ?? 0, age(hooks, now)],
});

export const VALIDATING_WEBHOOKS: TableLayout = layout<ValidatingWebhookConfiguration>({
  columns: [
    NAME,
    column(
      "Webhooks",
      "Webhooks indicates the number of webhooks registered in this configuration",
      "integer",
    ),
    AGE,
  ],
  cells: (hooks, now) => [nameOf(hooks), hooks.webhooks?.length ?? 0, age(hooks, now)],
});

export const VALIDATING_POLICY: TableLayout = layout<ValidatingAdmissionPolicy>({
  columns: [
    NAME,
    column(
      "Validations",
      "Validations indicates the number of validation rules defined in this configuration",
      "integer",
    ),
    column(
      "ParamKind",
      "ParamKind specifies the kind of resources used to parameterize this policy",
    ),
    AGE,
  ],
  cells: (policy, now) => [
    nameOf(policy),
    policy.spec?.validations?.length ?? 0,
    paramKindText(policy.spec?.paramKind),
    age(policy, now),
  ],
});

export const MUTATING_POLICY: TableLayout = layout<MutatingAdmissionPolicy>({
  columns: [
    NAME,
    column(
      "Mutations",
      "Mutation indicates the number of mutations rules defined in this configuration",
      "integer",
    ),
    column(
      "ParamKind",
      "ParamKind specifies the kind of resources used to parameterize this policy",
    ),
    AGE,
  ],
  cells: (policy, now) => [
    nameOf(policy),
    policy.spec?.mutations?.length ?? 0,
    paramKindText(policy.spec?.paramKind),
    age(policy, now),
  ],
});

export const VALIDATING_BINDING: TableLayout = layout<ValidatingAdmissionPolicyBinding>({
  columns: [
    NAME,
    column(
      "PolicyName",
      "PolicyName indicates the policy definition which the policy binding binded to",
    ),
    column("ParamRef", "ParamRef indicates the param resource which sets the configuration param"),
    AGE,
  ],
  cells: bindingCells,
});

export const MUTATING_BINDING: TableLayout = layout<MutatingAdmissionPolicyBinding>({
  columns: [
    NAME,
    column(
      "PolicyName",
      "PolicyName indicates the policy definition which the policy binding binded to",
    ),
    column("ParamRef", "ParamRef indicates the param resource which sets the configuration param"),
    AGE,
  ],
  cells: bindingCells,
});

type Binding = Printed<MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding>;

function bindingCells(binding: Binding, now: number): readonly Cell[] {
  return [
    nameOf(binding),
    binding.spec?.policyName ?? "",
    paramRefText(binding),
    age(binding, now),
  ];
}

function paramKindText(
  kind: { readonly apiVersion?: string | null; readonly kind?: string | null } | null | undefined,
): string {
  return kind == null ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
}

/** Without a namespace, it may be any. */
function paramRefText({ spec }: Binding): string {
  const { name, namespace, selector } = spec?.paramRef ?? {};
  if (name) return `${namespace || "*"}/${name}`;
  return selector == null ? "<unset>" : goSelectorText(selector);
}

/** As Go prints the structure itself. */
function goSelectorText({ matchLabels, matchExpressions }: Printed<LabelSelector>): string {
  const labels = Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}: ${value},`);
  const expressions = (matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key ?? ""},Operator:${operator ?? ""},Values:[${(values ?? []).join(" ")}],},`,
  );
  const listed = `[]LabelSelectorRequirement{${expressions.join("")}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${labels.sort().join("")}},MatchExpressions:${listed},}`;
}
