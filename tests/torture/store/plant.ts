/** Bugs that can be planted, to see that the torture finds them. The product knows nothing of it. */
export const plants = ["ack-before-commit", "synchronous-off"] as const;

export type Plant = (typeof plants)[number];
