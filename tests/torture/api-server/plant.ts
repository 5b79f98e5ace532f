/** Faults that can be planted, to see that the torture finds them. The server knows nothing of it. */
export const plants = ["roll-back", "drop-event", "repeat-event"] as const;

/**
 * roll-back: a killed server is given an older copy of its data, as if a disk had lied.
 * drop-event, repeat-event: a watcher's record misses, or has twice, the first event after it resumed.
 */
export type Plant = (typeof plants)[number];
