// Results of a load by side: what they are called and what a request cost.
import type { LoadResult, ServerCost } from "../harness/http-driver.ts";
import type { BySide, Side } from "./servers.ts";

export type Costed = LoadResult & ServerCost;

export const sideNames: Readonly<Record<Side, string>> = {
  ours: "homeostat",
  peer: "kube-apiserver + etcd",
  floor: "bare handler",
};

/** The server's CPU for one request. */
export function cpuMicroseconds(each: Costed): number {
  return (each.serverCpuSeconds / each.requests) * 1e6;
}

export function cpuMilliseconds(each: Costed): number {
  return cpuMicroseconds(each) / 1000;
}

export function entries<T>(values: BySide<T>): [Side, T][] {
  return Object.entries(values) as [Side, T][];
}

export function mapSides<T, U>(values: BySide<T>, map: (value: T, side: Side) => U): BySide<U> {
  return Object.fromEntries(entries(values).map(([side, value]) => [side, map(value, side)]));
}
