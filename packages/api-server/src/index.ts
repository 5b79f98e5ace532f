/**
 * The Kubernetes API in one process. `createApiServer` serves what a store holds through a door for
 * clients in this process; `listenHttps` opens that door to the network.
 */
export { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
export type { MemoryGauge } from "./filters/memory-limit.ts";
export {
  type HttpsListener,
  type HttpsListenerOptions,
  listenHttps,
} from "./http/https-listener.ts";
export type { PlaneSettings } from "./registry/strategy.ts";
