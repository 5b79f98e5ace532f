/** Probes and lifecycle hooks: what the kubelet does with a container while it starts, runs and stops. */
import type { Container, Lifecycle, Probe } from "@homeostat/object-model/core-v1";
import { fields, nonNegative, type Place, type Rule } from "@homeostat/schema";
import type { PodFacts } from "../pod-facts.ts";
import { checkHandler } from "./handlers.ts";
import { checkStopSignal } from "./stop-signals.ts";

const timing = fields<Probe, PodFacts>({
  initialDelaySeconds: nonNegative,
  timeoutSeconds: nonNegative,
  periodSeconds: nonNegative,
  successThreshold: nonNegative,
  failureThreshold: nonNegative,
  terminationGracePeriodSeconds: (value, place) => {
    if (value !== undefined && value <= 0) place.invalid(value, "must be greater than 0");
  },
});

const anyProbe: Rule<Probe, PodFacts> = (probe, place) => {
  if (probe === undefined) return;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  checkHandler(
    {
      ...(exec && { exec }),
      ...(httpGet && { httpGet }),
      ...(tcpSocket && { tcpSocket }),
      ...(grpc && { grpc }),
    },
    place,
  );
  timing(probe, place);
};

/** One success is enough to call a container live or started. */
const succeedsOnce: Rule<Probe, PodFacts> = (probe, place) => {
  if (probe === undefined || probe.successThreshold === 1) return;
  place.child("successThreshold").invalid(probe.successThreshold ?? 0, "must be 1");
};

/** A container that is not ready is not ended, so there is no time to give it. */
const endsNothing: Rule<Probe, PodFacts> = (probe, place) => {
  const seconds = probe?.terminationGracePeriodSeconds;
  if (seconds === undefined) return;
  const at = place.child("terminationGracePeriodSeconds");
  at.invalid(seconds, "must not be set for readinessProbes");
};

const lifecycle: Rule<Lifecycle, PodFacts> = (value, place) => {
  if (value?.postStart) checkHandler(value.postStart, place.child("postStart"));
  if (value?.preStop) checkHandler(value.preStop, place.child("preStop"));
  if (value?.stopSignal !== undefined) checkStopSignal(value.stopSignal, place.child("stopSignal"));
};

const probes = fields<Container, PodFacts>({
  lifecycle,
  livenessProbe: [anyProbe, succeedsOnce],
  readinessProbe: [anyProbe, endsNothing],
  startupProbe: [anyProbe, succeedsOnce],
});

/** Of containers that run as long as the pod: ordinary ones and sidecars. */
export function checkProbes(container: Readonly<Container>, place: Place<PodFacts>): void {
  probes(container, place);
}

/** Of init containers that end by themselves. */
export function refuseProbes(container: Readonly<Container>, place: Place<PodFacts>): void {
  const names = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const;
  for (const name of names) {
    if (container[name] === undefined) continue;
    place.child(name).forbidden("may not be set for init containers without restartPolicy=Always");
  }
}
