export interface RequestLimits {
  /** Reads at the same time; with {@link maxMutatingRequestsInflight} the seats of all levels. */
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  /** Whether FlowSchemas and PriorityLevelConfigurations decide; otherwise the two limits hold each. */
  readonly priorityAndFairness: boolean;
  /** Milliseconds that a request may take that is not long-running. */
  readonly requestTimeout: number;
}

export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
  priorityAndFairness: true,
  requestTimeout: 60_000,
};
