/**
 * Which node port each port of a Service gets. The functions write into the spec, answer the indexes
 * of the ports whose number the server chose, and throw the ApiError of a number that cannot be had.
 */
import { ApiError, FieldError, FieldPath } from "@homeostat/object-model";
import type { Service, ServicePort, ServiceSpec } from "@homeostat/object-model/core-v1";
import { invalidService } from "./service-cluster-ips.ts";
import type { PortRequest } from "./service-pools.ts";
import { getsNodePorts, specOf } from "./service-traits.ts";

/** On create: ports with the same number (TCP and UDP) share one node port. */
export function allocateNodePorts(service: Service, request: PortRequest): number[] {
  const spec = (service.spec ??= {});
  const ports = spec.ports ?? [];
  const chosen: number[] = [];
  const byPort = new Map<number, number>();
  for (const [i, port] of ports.entries()) {
    const own = port.nodePort ?? 0;
    if (own === 0 && !getsNodePorts(spec)) continue;
    const shared = byPort.get(port.port);
    if (shared === undefined) {
      const wanted = ports.find((each) => each.port === port.port && each.nodePort)?.nodePort;
      if (wanted !== undefined) take({ service, request, index: i, port: wanted });
      else chosen.push(i);
      port.nodePort = wanted ?? takeAny(request);
      byPort.set(port.port, port.nodePort);
    } else if (own === 0) {
      port.nodePort = shared;
      if (chosen.some((index) => ports[index]?.nodePort === shared)) chosen.push(i);
    } else if (own !== shared) take({ service, request, index: i, port: own });
  }
  return chosen;
}

/** On update: what the old Service holds is kept without asking; nothing is shared. */
export function updateNodePorts(
  service: Service,
  old: Readonly<Service>,
  request: PortRequest,
): number[] {
  const spec = (service.spec ??= {});
  const held = new Set((specOf(old).ports ?? []).map(({ nodePort = 0 }) => nodePort));
  const chosen: number[] = [];
  const taken = new Set<number>();
  const seen = new Set<string>();
  for (const [i, port] of (spec.ports ?? []).entries()) {
    const own = port.nodePort ?? 0;
    if (own === 0 && !getsNodePorts(spec)) continue;
    if (own === 0) {
      port.nodePort = takeAny(request);
      chosen.push(i);
    } else if (!held.has(own) && !taken.has(own)) {
      take({ service, request, index: i, port: own });
      taken.add(own);
    }
    const pair = `{${port.protocol ?? ""} ${port.nodePort}}`;
    if (seen.has(pair)) {
      throw new ApiError({ message: `duplicate nodePort: ${pair}`, httpStatus: 500 });
    }
    seen.add(pair);
  }
  return chosen;
}

/** Ports that come without a number keep that of the old port of their name, unless it moved. */
export function keepNodePorts(spec: ServiceSpec, old: Readonly<ServiceSpec>): void {
  if (!getsNodePorts(old) || !getsNodePorts(spec)) return;
  const after = numbersOf(spec.ports);
  const used = new Set([...numbersOf(old.ports)].filter((number) => after.has(number)));
  const byName = new Map((old.ports ?? []).map((port) => [port.name ?? "", port.nodePort ?? 0]));
  for (const port of spec.ports ?? []) {
    const number = byName.get(port.name ?? "") ?? 0;
    if (!port.nodePort && number !== 0 && !used.has(number)) port.nodePort = number;
  }
}

function numbersOf(ports: readonly ServicePort[] = []): Set<number> {
  return new Set(ports.map(({ nodePort = 0 }) => nodePort).filter((number) => number !== 0));
}

interface Wish {
  readonly service: Service;
  readonly request: PortRequest;
  readonly index: number;
  readonly port: number;
}

function take({ service, request, index, port }: Wish): void {
  const problem = request.take(port);
  if (problem === undefined) return;
  const path = FieldPath.of("spec", "ports").index(index).child("nodePort");
  throw invalidService(service, [FieldError.invalid(path, port, problem)]);
}

function takeAny(request: PortRequest): number {
  try {
    return request.takeAny();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw ApiError.internalError(new Error(`failed to allocate a nodePort: ${why}`));
  }
}
