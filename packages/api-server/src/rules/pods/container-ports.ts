/** Ports that containers name, and those they take from their host. */
import type { Container, ContainerPort } from "@homeostat/object-model/core-v1";
import { fields, ifSet, type Place, type Rule } from "@homeostat/schema";
import { choice } from "../checks/choices.ts";
import { checkPortName, portNumber } from "../checks/ports.ts";
import { requiredThen } from "../checks/required-then.ts";

const numbers = fields<ContainerPort>({
  containerPort: requiredThen(portNumber),
  hostPort: ifSet(portNumber),
  protocol: choice("SCTP", "TCP", "UDP"),
});

/** Names are unique within a container. */
export const containerPortsRule: Rule<readonly ContainerPort[]> = (ports, place) => {
  const names = new Set<string>();
  place.visitItems(ports ?? [], (port, at) => {
    if (port.name) {
      const problems = checkPortName(port.name);
      for (const problem of problems) at.child("name").invalid(port.name, problem);
      if (problems.length === 0 && names.has(port.name)) at.child("name").duplicate(port.name);
      if (problems.length === 0) names.add(port.name);
    }
    numbers(port, at);
  });
};

/** A host port is taken once by all these containers; `place` is their list. */
export function checkHostPorts(containers: readonly Container[], place: Place): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [number, port] of (container.ports ?? []).entries()) {
      if (!port.hostPort) continue;
      const key = `${port.protocol ?? ""}/${port.hostIP ?? ""}/${port.hostPort}`;
      if (taken.has(key)) {
        place.index(index).child("ports").index(number).child("hostPort").duplicate(key);
      }
      taken.add(key);
    }
  }
}
