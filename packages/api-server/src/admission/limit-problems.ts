import { Quantity } from "@homeostat/object-model";
import type { LimitRangeItem } from "@homeostat/object-model/core-v1";
import type { Amounts } from "./resource-amounts.ts";

interface Asked {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** What is out of the bounds of one limit. */
export function limitProblems(limit: LimitRangeItem, asked: Asked): string[] {
  const { type, min = {}, max = {}, maxLimitRequestRatio: ratios = {} } = limit;
  const found: (string | undefined)[] = [];
  for (const [name, bound] of Object.entries(min)) {
    found.push(tooLittle({ name, type, bound: Quantity.fromJson(bound) }, asked));
  }
  for (const [name, bound] of Object.entries(max)) {
    found.push(tooMuch({ name, type, bound: Quantity.fromJson(bound) }, asked));
  }
  for (const [name, bound] of Object.entries(ratios)) {
    found.push(tooWide({ name, type, bound: Quantity.fromJson(bound) }, asked));
  }
  return found.filter((each) => each !== undefined);
}

interface Bound {
  readonly name: string;
  readonly type: string;
  readonly bound: Quantity;
}

function tooLittle({ name, type, bound }: Bound, asked: Asked): string | undefined {
  const [request, limit] = [asked.requests.get(name), asked.limits.get(name)];
  const usage = `minimum ${name} usage per ${type} is ${String(bound)}`;
  if (request === undefined) return `${usage}.  No request is specified`;
  if (request.compare(bound) < 0) return `${usage}, but request is ${String(request)}`;
  if (limit !== undefined && limit.compare(bound) < 0)
    return `${usage}, but limit is ${String(limit)}`;
  return undefined;
}

function tooMuch({ name, type, bound }: Bound, asked: Asked): string | undefined {
  const [request, limit] = [asked.requests.get(name), asked.limits.get(name)];
  const usage = `maximum ${name} usage per ${type} is ${String(bound)}`;
  if (limit === undefined) return `${usage}.  No limit is specified`;
  if (limit.compare(bound) > 0) return `${usage}, but limit is ${String(limit)}`;
  if (request !== undefined && request.compare(bound) > 0) {
    return `${usage}, but request is ${String(request)}`;
  }
  return undefined;
}

function tooWide({ name, type, bound }: Bound, asked: Asked): string | undefined {
  const request = asked.requests.get(name)?.toNumber() ?? 0;
  const limit = asked.limits.get(name)?.toNumber() ?? 0;
  const usage = `${name} max limit to request ratio per ${type} is ${String(bound)}`;
  if (request === 0) return `${usage}, but no request is specified or request is 0`;
  if (limit === 0) return `${usage}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  if (ratio <= bound.toNumber()) return undefined;
  return `${usage}, but provided ratio is ${ratio.toFixed(6)}`;
}
