/** The layer table, floor to roof: which workspace packages each package may import. Nothing else. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  "object-model": [],
  concurrency: [],
  certificates: ["concurrency"],
  store: ["concurrency"],
  cel: ["object-model"],
  schema: ["object-model", "cel"],
  "api-server": ["store", "schema", "cel", "certificates", "object-model", "concurrency"],
};

/** Packages that do no I/O: they import no Node module but those named here. */
export const pure: Readonly<Record<string, readonly string[]>> = {
  "object-model": [],
  concurrency: ["node:timers", "node:crypto"],
  cel: [],
  schema: [],
};
