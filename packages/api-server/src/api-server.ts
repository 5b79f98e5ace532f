/**
 * One embedded control plane's API: the composition root of this package. A request comes in through
 * {@link ApiServer.door}, from HTTPS (http/) or from a client in this process, and both take the
 * same path: what is asked (http/request-info.ts), who may (filters/), the verb (verbs/), the
 * registry (registry/) and the store.
 */
import { type Clock, type Random, realClock, systemRandom } from "@homeostat/concurrency";
import type { RequestDoor } from "@homeostat/object-model";
import type { Store } from "@homeostat/store";
import { AdmissionChain } from "./admission/admission-chain.ts";
import { bootstrap } from "./bootstrap/bootstrap.ts";
import { Definitions } from "./custom-resources/definitions.ts";
import { type MemoryGauge, MemoryLimit } from "./filters/memory-limit.ts";
import { PlaneDoor } from "./plane-door.ts";
import type { Plane } from "./registry/plane.ts";
import { Registry } from "./registry/registry.ts";
import { ResourceTable } from "./registry/resource-table.ts";
import type { PlaneSettings } from "./registry/strategy.ts";
import { httpsWebhookClient } from "./webhooks/https-webhook-client.ts";
import type { WebhookClient } from "./webhooks/webhook-client.ts";

export interface ApiServerOptions {
  /** Where objects live. The caller opens and closes it. */
  readonly store: Store;
  /** Default: the real clock. */
  readonly clock?: Clock;
  /** Default: the system's. */
  readonly random?: Random;
  readonly settings?: Partial<PlaneSettings>;
  /** How webhooks are called. Default: over HTTPS. */
  readonly webhooks?: WebhookClient;
  /** Writes are refused before this memory is used up. Default: no limit is known. */
  readonly memory?: MemoryGauge;
}

export interface ApiServer extends AsyncDisposable {
  readonly door: RequestDoor;
  /** Ends every watch between events, then refuses requests. Does not close the store. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_SETTINGS: PlaneSettings = {
  serviceClusterIpRange: "10.0.0.0/24",
  serviceNodePortRange: [30000, 32767],
};

/** Serves what the store holds; an empty store gets what a new cluster has. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const plane: Plane = {
    store: options.store,
    clock: options.clock ?? realClock,
    random: options.random ?? systemRandom,
    table: new ResourceTable(),
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    webhooks: options.webhooks ?? httpsWebhookClient,
    admission: new AdmissionChain(),
  };
  const registry = new Registry(plane);
  await bootstrap(plane);
  const definitions = new Definitions(plane, registry);
  definitions.start();
  const memory = options.memory && new MemoryLimit(options.memory, plane.clock);
  const door = new PlaneDoor(plane, { registry, memory });
  const close = async (): Promise<void> => {
    door.close();
    definitions[Symbol.dispose]();
    registry[Symbol.dispose]();
  };
  return { door, close, [Symbol.asyncDispose]: close };
}
