import type { Rule } from "@homeostat/schema";

const SINGLE = "ReadWriteOncePod";
const KNOWN = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", SINGLE];

/** Of volumes and of claims. Errors are told at the list. */
export const accessModes: Rule<readonly string[]> = (modes = [], place) => {
  for (const mode of modes) if (!KNOWN.includes(mode)) place.notSupported(mode, KNOWN);
  const others = modes.some((mode) => mode !== SINGLE && KNOWN.includes(mode));
  if (others && modes.includes(SINGLE)) {
    place.forbidden("may not use ReadWriteOncePod with other access modes");
  }
};
