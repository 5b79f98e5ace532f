import { type Bindings, BOOL, NULL, STRING } from "@homeostat/cel";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
} from "@homeostat/object-model/admissionregistration-v1";
import { trimmed } from "../../rules/admission/policy-expressions.ts";
import {
  type CompiledText,
  type ConditionResult,
  type ConditionRun,
  compileText,
  OutOfBudgetError,
} from "../expressions/condition-run.ts";
import { CompiledPolicy } from "./compiled-policy.ts";

/** One thing that a policy has against a request. `place` counts validations. */
export interface PolicyDenial {
  readonly place: number;
  readonly message: string;
  /** "" for what went wrong. */
  readonly reason: string;
}

export interface PolicyVerdict {
  readonly denials: readonly PolicyDenial[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
  /** Annotations that could not be computed: denials whatever the binding does about those. */
  readonly annotationProblems: readonly string[];
}

const MAX_MESSAGE_BYTES = 5 * 1024;
const NOTHING: PolicyVerdict = { denials: [], annotations: [], annotationProblems: [] };

interface CompiledValidation {
  readonly text: CompiledText;
  readonly messageText: CompiledText | undefined;
  readonly message: string;
  readonly reason: string;
}

interface CompiledAnnotation {
  readonly key: string;
  readonly text: CompiledText;
}

/** A ValidatingAdmissionPolicy that can be asked. */
export class PolicyValidations extends CompiledPolicy<ValidatingAdmissionPolicySpec> {
  #validations: readonly CompiledValidation[] | undefined;
  #annotations: readonly CompiledAnnotation[] | undefined;

  constructor(policy: ValidatingAdmissionPolicy) {
    super(policy, policy.spec ?? {});
  }

  /** What it says of a request whose values are bound. */
  async validate(bindings: Bindings, breathe: () => Promise<void>): Promise<PolicyVerdict> {
    const verdict = await this.judgeConditions(bindings, breathe);
    if (verdict === false) return NOTHING;
    if (verdict !== true) return this.#failed(verdict.problem);
    try {
      const run = this.run(bindings, breathe);
      const denials = await this.#judge(run, bindings, breathe);
      return { denials, ...(await this.#annotate(this.run(bindings, breathe))) };
    } catch (error) {
      if (!(error instanceof OutOfBudgetError)) throw error;
      return this.#failed(error.message);
    }
  }

  #failed(message: string): PolicyVerdict {
    if (this.ignoresFailures) return NOTHING;
    return { ...NOTHING, denials: [{ place: 0, message, reason: "" }] };
  }

  async #judge(
    run: ConditionRun,
    bindings: Bindings,
    breathe: () => Promise<void>,
  ): Promise<readonly PolicyDenial[]> {
    const validations = this.#compiledValidations;
    const results: ConditionResult[] = [];
    for (const { text } of validations) results.push(await run.evaluate(text));
    const messages = this.run(bindings, breathe, run.budget);
    const denials: PolicyDenial[] = [];
    for (const [place, validation] of validations.entries()) {
      const result = results[place]!;
      if ("error" in result) {
        if (!this.ignoresFailures) denials.push({ place, message: result.error, reason: "" });
      } else if (result.value !== true) {
        const message = await messageOf(validation, messages).catch(unaffordable);
        denials.push({ place, message, reason: validation.reason });
      }
    }
    return denials;
  }

  async #annotate(run: ConditionRun): Promise<Omit<PolicyVerdict, "denials">> {
    const annotations: (readonly [string, string])[] = [];
    const annotationProblems: string[] = [];
    for (const { key, text } of this.#compiledAnnotations) {
      const result = await run.evaluate(text);
      if ("error" in result) {
        if (!this.ignoresFailures) annotationProblems.push(result.error);
      } else if (typeof result.value === "string") {
        const value = trimmed(result.value);
        if (value !== "") annotations.push([key, value]);
      }
    }
    return { annotations, annotationProblems };
  }

  get #compiledValidations(): readonly CompiledValidation[] {
    this.#validations ??= (this.spec.validations ?? []).map(
      ({ expression, messageExpression = "", message = "", reason = "Invalid" }) => ({
        text: compileText(expression, this.environment({ authorizer: true }), [BOOL]),
        messageText:
          messageExpression === ""
            ? undefined
            : compileText(messageExpression, this.environment({ authorizer: false }), [STRING]),
        message,
        reason,
      }),
    );
    return this.#validations;
  }

  get #compiledAnnotations(): readonly CompiledAnnotation[] {
    this.#annotations ??= (this.spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      text: compileText(valueExpression, this.environment({ authorizer: true }), [STRING, NULL]),
    }));
    return this.#annotations;
  }
}

/** What its messageExpression says if that can be a message, else its message, else the expression. */
async function messageOf(
  { text, messageText, message }: CompiledValidation,
  run: ConditionRun,
): Promise<string> {
  if (messageText !== undefined) {
    const result = await run.evaluate(messageText);
    const said = "value" in result && typeof result.value === "string" ? trimmed(result.value) : "";
    const isUsable = Buffer.byteLength(said) <= MAX_MESSAGE_BYTES && !said.includes("\n");
    if (said !== "" && isUsable) return said;
  }
  return trimmed(message) || `failed expression: ${trimmed(text.text)}`;
}

/** A message that costs too much is a failure of its own. */
function unaffordable(error: unknown): string {
  if (error instanceof OutOfBudgetError) return `failed messageExpression: ${error.message}`;
  throw error;
}
