/**
 * The registry: generic read-modify-write of every kind. Start at `object-repository.ts`; what
 * differs between kinds is behind `strategy.ts`, what is kept is in `stored-object.ts`.
 *
 * A plane is what all repositories of one control plane share.
 */
import type { Clock, Random } from "@homeostat/concurrency";
import type { Store } from "@homeostat/store";
import type { AdmissionChain } from "../admission/admission-chain.ts";
import type { Authenticator } from "../authentication/authenticator.ts";
import type { Authorization } from "../authorization/authorizer.ts";
import type { ServerFigures } from "../figures/server-figures.ts";
import type { NodeAccess } from "../kubelet/node-connector.ts";
import type { WebhookClient } from "../webhooks/webhook-client.ts";
import type { ResourceTable } from "./resource-table.ts";
import type { PlaneSettings } from "./strategy.ts";

export interface Plane {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly table: ResourceTable;
  readonly settings: PlaneSettings;
  readonly webhooks: WebhookClient;
  readonly nodes: NodeAccess;
  readonly admission: AdmissionChain;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorization;
  /** What has happened, counted. */
  readonly figures: ServerFigures;
}
