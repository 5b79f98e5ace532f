import { ApiError, type KubernetesObject } from "@homeostat/object-model";
import type {
  NodeProxyOptions,
  PodAttachOptions,
  PodExecOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  ServiceProxyOptions,
} from "@homeostat/object-model/core-v1";
import type { Query } from "../http/query.ts";

/** What a connection is opened with: admission may look at it, and change it. */
export type CommandOptions = PodExecOptions | PodAttachOptions;
export type ProxyOptions = PodProxyOptions | NodeProxyOptions | ServiceProxyOptions;
export type ConnectOptions = KubernetesObject &
  (CommandOptions | PodPortForwardOptions | ProxyOptions);

export function readCommandOptions(kind: "exec" | "attach", query: Query): CommandOptions {
  const container = query.get("container");
  const options = {
    apiVersion: "v1",
    ...given("stdin", query),
    ...given("stdout", query),
    ...given("stderr", query),
    ...given("tty", query),
    ...(container === "" ? {} : { container }),
  } as const;
  if (kind === "attach") return { kind: "PodAttachOptions", ...options };
  return { kind: "PodExecOptions", ...options, command: [...query.all("command")] };
}

/** Each parameter may hold several ports. */
export function readPortForwardOptions(query: Query): PodPortForwardOptions {
  const ports = query.all("ports").flatMap((text) => text.split(",").map(readPort));
  const options = { kind: "PodPortForwardOptions", apiVersion: "v1" } as const;
  return ports.length === 0 ? options : { ...options, ports };
}

export function proxyOptions(plural: string, path: string): ProxyOptions {
  const kinds = {
    pods: "PodProxyOptions",
    nodes: "NodeProxyOptions",
    services: "ServiceProxyOptions",
  } as const;
  const kind = kinds[plural as keyof typeof kinds];
  const options = { kind, apiVersion: "v1" } as ProxyOptions;
  return path === "" ? options : { ...options, path };
}

function given<Name extends string>(name: Name, query: Query): { [Key in Name]?: true } {
  return (query.flag(name) === true ? { [name]: true } : {}) as { [Key in Name]?: true };
}

function readPort(text: string): number {
  const value = /^[0-9]+$/.test(text) ? BigInt(text) : undefined;
  if (value !== undefined && value < 65_536n) return Number(value);
  const what = value === undefined ? "invalid syntax" : "value out of range";
  throw ApiError.badRequest(
    `cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${what}`,
  );
}
