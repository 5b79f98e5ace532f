/** How deep a text may nest unless told otherwise: Go's encoding/json, and so kube-apiserver, stops here. */
export const MAX_JSON_DEPTH = 10_000;

/** The longest string the engine has. A text beyond it is refused before it is decoded. */
export const MAX_JSON_BYTES: number = 2 ** 29 - 24;

/**
 * How deep values are walked by recursion. Ordinary objects nest about 20 levels and large CRDs 60;
 * what is deeper takes the way that needs no stack.
 */
export const NATIVE_LEVELS = 256;
