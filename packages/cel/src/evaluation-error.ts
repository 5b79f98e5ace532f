/** Why an evaluation gave no value. The message is the one kube-apiserver gives for the same expression. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
  readonly code: "CostLimitExceeded" | "EvaluationFailed" | "TakesLong";
  /** What was spent until then, where an evaluation threw it. */
  readonly cost: number;

  constructor(
    message: string,
    options: { readonly code?: "CostLimitExceeded" | "TakesLong"; readonly cost?: number } = {},
  ) {
    super(message);
    this.code = options.code ?? "EvaluationFailed";
    this.cost = options.cost ?? 0;
  }
}
