/** What a pod shares with its host; `place` is the spec's. */
import type { ContainerPort, PodSpec } from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";
import type { PodFacts } from "../pod-facts.ts";
import { containersOf, visitContainers } from "./container-lists.ts";

/** On the host's network a port is the host's; a template may leave that to be filled in. */
export function checkPortsOnHostNetwork(spec: Readonly<PodSpec>, place: Place<PodFacts>): void {
  if (!spec.hostNetwork) return;
  for (const [index, container] of (spec.containers ?? []).entries()) {
    const ports: readonly Partial<ContainerPort>[] = container.ports ?? [];
    for (const [number, port] of ports.entries()) {
      const { hostPort = 0, containerPort = 0 } = port;
      if (hostPort === containerPort || (hostPort === 0 && !place.context.isPod)) continue;
      const at = place.child("containers").index(index).child("ports").index(number);
      const why = "must match `containerPort` when `hostNetwork` is true";
      at.child("hostPort").invalid(hostPort, why);
    }
  }
}

/** A pod with users of its own shares nothing else with its host, unless it did before. */
export function checkHostUsers(spec: Readonly<PodSpec>, place: Place<PodFacts>): void {
  if (spec.hostUsers !== false) return;
  const { old } = place.context;
  const why = "when `hostUsers` is false";
  const hadOwnUsers = old?.hostUsers === false;
  if (spec.hostNetwork && !(hadOwnUsers && old.hostNetwork)) {
    place.child("hostNetwork").forbidden(why);
  }
  if (spec.hostPID) place.child("HostPID").forbidden(why);
  if (spec.hostIPC) place.child("HostIPC").forbidden(why);
  const hadDevices = containersOf(old).some(
    ({ volumeDevices }) => (volumeDevices ?? []).length > 0,
  );
  if (hadOwnUsers && hadDevices) return;
  visitContainers(spec, place, (container, at) => {
    if ((container.volumeDevices ?? []).length > 0) at.child("volumeDevices").forbidden(why);
  });
}
