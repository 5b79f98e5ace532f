// Compiled against the packed types alone, as a user's program would be.
import { type ApiServer, createApiServer } from "@homeostat/api-server";
import { type Clock, ManualClock } from "@homeostat/concurrency";
import { ApiError, type ObjectMeta } from "@homeostat/object-model";
import type { Deployment } from "@homeostat/object-model/apps-v1";
import type { Pod } from "@homeostat/object-model/core-v1";
import { openMemoryStore, type Store, type WriteResult } from "@homeostat/store";

const clock: Clock = new ManualClock();
export const store: Store = openMemoryStore({ clock });
export const server: Promise<ApiServer> = createApiServer({ store, clock });
export const metadata: ObjectMeta = { name: "web", labels: { app: "web" } };
export const pod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata,
  spec: { containers: [{ name: "web" }] },
};
export const replicas = (deployment: Deployment): number => deployment.spec?.replicas ?? 1;
export const revisionOf = (result: WriteResult): number | undefined =>
  result.outcome === "refused" ? undefined : result.revision;
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === "Expired";
