/**
 * One embedded control plane's API: the composition root of this package. A request comes in through
 * {@link ApiServer.door}, from HTTPS (http/) or from a client in this process, and both take the
 * same path: what is asked (http/request-info.ts), who asks (authentication/), who may (authorization/), the verb (verbs/), the
 * registry (registry/) and the store.
 */
import { type Clock, type Random, realClock, systemRandom } from "@homeostat/concurrency";
import type { ApiError, DoorRequest, RequestDoor } from "@homeostat/object-model";
import type { Store } from "@homeostat/store";
import { AdmissionChain } from "./admission/admission-chain.ts";
import { type PluginOptions, Plugins } from "./admission/plugins.ts";
import { AuditIds } from "./audit/audit-ids.ts";
import { AuditLog, type AuditOptions } from "./audit/audit-log.ts";
import type { AuthenticationOptions } from "./authentication/authentication-options.ts";
import { Authenticator } from "./authentication/authenticator.ts";
import { alwaysAllow } from "./authorization/always-allow.ts";
import { EscalationCheck } from "./authorization/escalation.ts";
import { RbacAuthorizer } from "./authorization/rbac-authorizer.ts";
import { RbacPolicy } from "./authorization/rbac-policy.ts";
import { RoleAggregation } from "./authorization/role-aggregation.ts";
import { advertise } from "./bootstrap/advertise.ts";
import type { Advertised } from "./bootstrap/advertised-objects.ts";
import { bootstrap } from "./bootstrap/bootstrap.ts";
import { IdentityLease } from "./bootstrap/identity-lease.ts";
import { Definitions } from "./custom-resources/definitions.ts";
import { ServerFigures } from "./figures/server-figures.ts";
import { type MemoryGauge, MemoryLimit } from "./filters/memory-limit.ts";
import type { RequestLimits } from "./filters/request-limits.ts";
import { TrafficControl } from "./filters/traffic-control.ts";
import { FlowSchemaStatus } from "./flow-control/flow-schema-status.ts";
import { healthRoutes } from "./health-routes.ts";
import { httpsNodeConnector } from "./http/https-node-connector.ts";
import { NODE_ADDRESS_TYPES, type NodeAccess } from "./kubelet/node-connector.ts";
import { metricsRoutes, type ProcessFigure } from "./metrics/metrics-route.ts";
import { type ConnectAnswer, PlaneDoor } from "./plane-door.ts";
import type { Plane } from "./registry/plane.ts";
import { PlaneReader } from "./registry/plane-reader.ts";
import { Registry } from "./registry/registry.ts";
import { ResourceTable } from "./registry/resource-table.ts";
import { storeProblem } from "./registry/store-problem.ts";
import type { PlaneSettings } from "./registry/strategy.ts";
import { quotaWriter } from "./verbs/quota-writer.ts";
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
  /** How kubelets, and what is behind /proxy, are reached. Default: over HTTPS without a certificate. */
  readonly nodes?: Partial<NodeAccess>;
  /** How users are known. */
  readonly authentication?: AuthenticationOptions;
  /** Who may do what: roles and bindings decide, or everybody may do everything. Default: RBAC. */
  readonly authorization?: "RBAC" | "AlwaysAllow";
  /**
   * Whether the rules of aggregated ClusterRoles (admin, edit, view) are gathered here. Where a
   * controller manager runs, it does. Default: true.
   */
  readonly aggregateRoles?: boolean;
  /** Which plugins may change and refuse what is written. */
  readonly admission?: PluginOptions;
  /** Writes are refused before this memory is used up. Default: no limit is known. */
  readonly memory?: MemoryGauge;
  /** How many requests may run at the same time, and for how long. */
  readonly limits?: Partial<RequestLimits>;
  /** What is written down of requests, and where. Default: nothing. */
  readonly audit?: AuditOptions;
  /** What /metrics tells of the process. Default: nothing. */
  readonly processFigures?: () => readonly ProcessFigure[];
}

export interface ApiServer extends AsyncDisposable {
  readonly door: RequestDoor;
  /** The door for requests that want another protocol: exec, attach, port-forward. */
  connect(request: DoorRequest): Promise<ConnectAnswer>;
  /** Who a request comes from: for whoever takes it from a socket to the door. */
  readonly authenticator: Authenticator;
  /** Tells clients in what the plane holds where the server is: for whoever listens for it. */
  advertise(advertised: Advertised): Promise<void>;
  /** Names a request that is refused before it comes to the door. */
  newAuditId(): string;
  /** Tells the audit log of a request whose user could not be known. Its headers hold its name. */
  noteUnknown(request: DoorRequest, refused: ApiError): void;
  /** Counts a connection that did not come about. */
  noteHandshakeError(): void;
  /** Reads now what the first request would wait for: for whoever has time until it comes. */
  prepare(): void;
  /** From now on `/readyz` says no, so that clients look for another server; requests are served. */
  beginShutdown(): void;
  /** Ends every watch between events, then refuses requests. Does not close the store. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_SETTINGS: PlaneSettings = {
  serviceClusterIpRange: "10.0.0.0/24",
  serviceNodePortRange: [30000, 32767],
};

const DEFAULT_NODES: NodeAccess = {
  connector: httpsNodeConnector(),
  addressTypes: NODE_ADDRESS_TYPES,
  allowLocalAddresses: false,
};

/** Serves what the store holds; an empty store gets what a new cluster has. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const table = new ResourceTable();
  const policy = new RbacPolicy({ store: options.store, table });
  const roles = new RbacAuthorizer(policy);
  const { store, clock = realClock, random = systemRandom } = options;
  const authenticator = new Authenticator({ store, clock, random, table }, options.authentication);
  const figures = new ServerFigures();
  const plane: Plane = {
    store,
    clock,
    random,
    table,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    webhooks: options.webhooks ?? httpsWebhookClient,
    nodes: { ...DEFAULT_NODES, ...options.nodes },
    admission: new AdmissionChain({ clock, figures: figures.admission }),
    figures,
    authenticator,
    authorizer: options.authorization === "AlwaysAllow" ? alwaysAllow : roles,
  };
  const registry = new Registry(plane);
  const plugins = new Plugins(
    { ...plane, reader: new PlaneReader(plane), writeQuota: quotaWriter(plane, registry) },
    options.admission,
  );
  plane.admission.use(...plugins.chosen);
  const aggregateRoles = options.aggregateRoles ?? true;
  const { isNew } = await bootstrap(plane, { aggregateRoles });
  if (!isNew) policy.load();
  const aggregation = new RoleAggregation(plane, registry);
  if (aggregateRoles) aggregation.start({ isCurrent: isNew });
  const definitions = new Definitions(plane, registry);
  definitions.start();
  const memory = options.memory && new MemoryLimit(options.memory, plane.clock);
  // Looks at what the others have made of an object: the last of them.
  plane.admission.use(
    new EscalationCheck({
      authorizer: plane.authorizer,
      roles,
      rulesOf: (role, namespace) => policy.rulesOf(role, namespace),
      breathe: () => new Promise((resolve) => plane.clock.endOfTurn(resolve)),
    }),
  );
  const audit = options.audit && new AuditLog(options.audit, clock);
  const auditIds = new AuditIds(random);
  const traffic = new TrafficControl(plane, { limits: options.limits, audit, auditIds });
  let isShuttingDown = false;
  const routes = [
    ...healthRoutes({
      storeProblem: () => storeProblem(store),
      isShuttingDown: () => isShuttingDown,
      figures: figures.health,
    }),
    ...traffic.routes,
    ...metricsRoutes({ ...traffic.figures, plane, audit, process: options.processFigures }),
  ];
  const door = new PlaneDoor(plane, { registry, memory, filters: traffic.parts, routes });
  const schemaStatus = new FlowSchemaStatus(plane, door);
  schemaStatus.start({ isCurrent: isNew });
  let identity: IdentityLease | undefined;
  const close = async (): Promise<void> => {
    isShuttingDown = true;
    door.close();
    // Of a store that is closed already nothing is to be said.
    const ended = identity?.end().catch(() => undefined);
    identity = undefined;
    traffic[Symbol.dispose]();
    authenticator[Symbol.dispose]();
    definitions[Symbol.dispose]();
    registry[Symbol.dispose]();
    plugins[Symbol.dispose]();
    schemaStatus[Symbol.dispose]();
    aggregation[Symbol.dispose]();
    policy[Symbol.dispose]();
    await ended;
  };
  const connect = (request: DoorRequest): Promise<ConnectAnswer> => door.connect(request);
  const tell = async (advertised: Advertised): Promise<void> => {
    if (identity !== undefined) {
      identity.move(advertised);
      return advertise(plane, advertised, []);
    }
    identity = new IdentityLease(plane, door, advertised);
    await advertise(plane, advertised, [identity.firstOperation()]);
    await identity.begin();
  };
  return {
    door,
    connect,
    advertise: tell,
    authenticator,
    newAuditId: () => auditIds.next(),
    noteUnknown: (request, refused) => door.noteUnknown(request, refused),
    noteHandshakeError: () => void figures.tlsErrors.of().value++,
    prepare: () => traffic.prepare(),
    beginShutdown: () => void (isShuttingDown = true),
    close,
    [Symbol.asyncDispose]: close,
  };
}
