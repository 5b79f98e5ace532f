/**
 * The two finite pools Services draw from: cluster addresses (the range of the plane and those of
 * further ServiceCIDR objects) and node ports. Who holds what is read from the plane (an IPAddress
 * object per address, a claim per port), never kept here. A free one is
 * searched from a random start in the upper part of the pool, and below only when that is full: the
 * lower part is left to those who ask for a certain one, as in Kubernetes.
 */
import {
  ApiError,
  findCondition,
  type GroupResource,
  isBeingDeleted,
} from "@homeostat/object-model";
import type { ServiceCIDR } from "@homeostat/object-model/networking-v1";
import type { ObjectReader, WriteContext } from "../registry/strategy.ts";

export const IP_ADDRESSES: GroupResource = {
  group: "networking.k8s.io",
  resource: "ipaddresses",
};

const SERVICE_CIDRS: GroupResource = { group: "networking.k8s.io", resource: "servicecidrs" };

export const ALREADY_ALLOCATED_IP = "provided IP is already allocated";
const OUTSIDE_NETWORK = "the provided network does not match the current range";
const ALREADY_ALLOCATED_PORT = "provided port is already allocated";
const FULL = "range is full";

/** First port an answer to a dry run shows, less one. */
const DRY_RUN_PORT = 32768;

export function nodePortClaim(port: number): string {
  return `nodeport/${port}`;
}

export function isAddressTaken(reader: ObjectReader, address: string): boolean {
  return reader.get(IP_ADDRESSES, address) !== undefined;
}

/** The addresses of a range that can be given out, as 32-bit numbers. */
interface AddressRange {
  readonly network: number;
  readonly first: number;
  readonly size: number;
  /** How many from the first are left to explicit requests. */
  readonly reserved: number;
}

function parseRange(cidr: string): AddressRange {
  const [address = "", bits = ""] = cidr.split("/");
  const total = 2 ** (32 - Number(bits));
  const network = Math.floor(toNumber(address) / total) * total;
  const size = Math.max(0, total - 2);
  return { network, first: network + 1, size, reserved: reservedPart({ size: total, ...OF_IPS }) };
}

const OF_IPS = { min: 16, max: 256, step: 16 };
const OF_PORTS = { min: 16, max: 128, step: 32 };

function reservedPart(pool: { size: number; min: number; max: number; step: number }): number {
  if (pool.size <= pool.min) return 0;
  return Math.min(Math.max(Math.floor(pool.size / pool.step), pool.min), pool.max);
}

/**
 * The plane's own range first, then those of ServiceCIDRs. One that is not ready, or is being deleted,
 * gives out nothing any more, the plane's own among them.
 */
function* rangesOf({ settings, reader }: WriteContext): Generator<AddressRange> {
  const own = settings.serviceClusterIpRange;
  const given: string[] = [];
  const retired = new Set<string>();
  for (const object of reader.list(SERVICE_CIDRS)) {
    const { spec, status } = object as ServiceCIDR;
    const ready = findCondition(status?.conditions, "Ready")?.status ?? "True";
    const isGood = ready === "True" && !isBeingDeleted(object);
    for (const cidr of spec?.cidrs ?? []) {
      if (isGood) given.push(cidr);
      else retired.add(cidr);
    }
  }
  if (!retired.has(own) || given.includes(own)) yield parseRange(own);
  for (const cidr of given) {
    if (!cidr.includes(":") && cidr !== own) yield parseRange(cidr);
  }
}

function isInside({ first, size }: AddressRange, address: string): boolean {
  const offset = toNumber(address) - first;
  return offset >= 0 && offset < size;
}

/** What is wrong with giving out this IPv4 address; undefined when it may be had. */
export function checkAddress(address: string, context: WriteContext): string | undefined {
  if (context.dryRun) {
    const cidr = context.settings.serviceClusterIpRange;
    if (isInside(parseRange(cidr), address)) return undefined;
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${cidr}`;
  }
  if (!rangesOf(context).some((range) => isInside(range, address))) return OUTSIDE_NETWORK;
  return isAddressTaken(context.reader, address) ? ALREADY_ALLOCATED_IP : undefined;
}

/** A free address; a dry run gets the address of the network itself, which nobody can have. */
export function chooseAddress(serviceName: string, context: WriteContext): string {
  for (const range of rangesOf(context)) {
    if (context.dryRun) return toText(range.network);
    const offset = findFree(range, context, (i) =>
      isAddressTaken(context.reader, toText(range.first + i)),
    );
    if (offset !== undefined) return toText(range.first + offset);
  }
  const what = `failed to allocate a serviceIP for Service ${JSON.stringify(serviceName)}`;
  throw ApiError.internalError(new Error(`${what}: ${FULL}`));
}

function findFree(
  pool: { readonly size: number; readonly reserved: number },
  { random }: WriteContext,
  isTaken: (offset: number) => boolean,
): number | undefined {
  const parts = [
    { from: pool.reserved, length: pool.size - pool.reserved },
    { from: 0, length: pool.reserved },
  ];
  for (const { from, length } of parts) {
    if (length <= 0) continue;
    const start = random.below(length);
    for (let i = 0; i < length; i++) {
      const offset = from + ((start + i) % length);
      if (!isTaken(offset)) return offset;
    }
  }
  return undefined;
}

/** The node ports one write takes: none twice, and none that another Service holds. */
export class PortRequest {
  readonly #context: WriteContext;
  readonly #taken = new Set<number>();

  constructor(context: WriteContext) {
    this.#context = context;
  }

  /** Takes this port. What is wrong with it, if anything. */
  take(port: number): string | undefined {
    const { dryRun, settings } = this.#context;
    const [first, last] = settings.serviceNodePortRange;
    if (!dryRun && (port < first || port > last)) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    if (this.#isTaken(port)) return ALREADY_ALLOCATED_PORT;
    this.#taken.add(port);
    return undefined;
  }

  /** Takes any free port; throws an `Error` when there is none. A dry run gets a made-up one. */
  takeAny(): number {
    const port = this.#context.dryRun ? this.#madeUp() : this.#free();
    this.#taken.add(port);
    return port;
  }

  #madeUp(): number {
    return Math.max(...(this.#taken.size > 0 ? this.#taken : [DRY_RUN_PORT])) + 1;
  }

  #free(): number {
    const [first, last] = this.#context.settings.serviceNodePortRange;
    const size = last - first + 1;
    const pool = { size, reserved: reservedPart({ size, ...OF_PORTS }) };
    const offset = findFree(pool, this.#context, (i) => this.#isTaken(first + i));
    if (offset === undefined) throw new Error(FULL);
    return first + offset;
  }

  #isTaken(port: number): boolean {
    return this.#taken.has(port) || this.#context.reader.isClaimed(nodePortClaim(port));
  }
}

function toNumber(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toText(address: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join(".");
}
