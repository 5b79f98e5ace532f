/**
 * The Kubernetes API in one process. `createApiServer` serves what a store holds through a door for
 * clients in this process; `listenHttps` opens that door to the network.
 */
export {
  ADMISSION_PLUGINS,
  DEFAULT_ADMISSION_PLUGINS,
  type PluginOptions,
} from "./admission/plugins.ts";
export { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
export type { AuditEvent, AuditSink } from "./audit/audit-event.ts";
export type { AuditOptions } from "./audit/audit-log.ts";
export { type AuditPolicy, AuditPolicyError } from "./audit/audit-policy.ts";
export { parseAuditPolicy } from "./audit/parse-audit-policy.ts";
export { printAuditEvent } from "./audit/print-audit-event.ts";
export type { AuthenticationOptions } from "./authentication/authentication-options.ts";
export type { Authenticator, Credentials, Identity } from "./authentication/authenticator.ts";
export {
  parseTokenFile,
  type StaticTokens,
  TokenFileError,
} from "./authentication/static-tokens.ts";
export {
  readTokenKeys,
  readTokenVerifiers,
  TokenKeyError,
  type TokenKeys,
  type TokenSigner,
  type TokenVerifier,
} from "./authentication/token-keys.ts";
export type { MemoryGauge } from "./filters/memory-limit.ts";
export type { RequestLimits } from "./filters/request-limits.ts";
export type { ConnectionLimits } from "./http/connection-limits.ts";
export {
  type HttpsListener,
  type HttpsListenerOptions,
  listenHttps,
} from "./http/https-listener.ts";
export {
  httpsNodeConnector,
  type KubeletCredentials,
  type NodeConnectorOptions,
} from "./http/https-node-connector.ts";
export {
  NODE_ADDRESS_TYPES,
  type NodeAccess,
  type NodeConnector,
} from "./kubelet/node-connector.ts";
export type { ProcessFigure } from "./metrics/metrics-route.ts";
export type { PlaneSettings } from "./registry/strategy.ts";
export type {
  ServiceLocation,
  WebhookAddress,
  WebhookClient,
  WebhookTarget,
} from "./webhooks/webhook-client.ts";
