/**
 * The Kubernetes API in one process. `createApiServer` serves what a store holds through a door for
 * clients in this process; `listenHttps` opens that door to the network.
 */
export { DEFAULT_ADMISSION_PLUGINS, type PluginOptions } from "./admission/plugins.ts";
export { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
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
export type { PlaneSettings } from "./registry/strategy.ts";
