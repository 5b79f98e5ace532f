/** The layer table, floor to roof: which workspace packages each package may import. Nothing else. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  "object-model": [],
  concurrency: [],
  certificates: ["concurrency"],
  store: ["concurrency"],
  "api-server": ["store", "certificates", "object-model", "concurrency"],
};

/** Packages that do no I/O: they import no Node module but those named here. */
export const pure: Readonly<Record<string, readonly string[]>> = {
  "object-model": [],
  concurrency: ["node:timers", "node:crypto"],
};
