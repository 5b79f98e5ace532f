/** What a probe does, or what runs when a container starts or stops: one action of several kinds. */
import type {
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  SleepAction,
  TCPSocketAction,
} from "@homeostat/object-model/core-v1";
import { fields, type Place, type Rule, required } from "@homeostat/schema";
import { knownChoice } from "../checks/choices.ts";
import { portNumberOrName } from "../checks/ports.ts";
import type { PodFacts } from "../pod-facts.ts";

export interface Handler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
  readonly sleep?: SleepAction;
}

const HEADER_NAME =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/** Names of headers are told at the list. */
const headers: Rule<HTTPGetAction["httpHeaders"] & object> = (value, place) => {
  for (const { name = "" } of value ?? []) {
    if (!/^[-A-Za-z0-9]+$/.test(name)) place.invalid(name, HEADER_NAME);
  }
};

const sleep: Rule<SleepAction, PodFacts> = (value, place) => {
  const grace = place.context.spec.terminationGracePeriodSeconds;
  const seconds = value?.seconds ?? 0;
  if (grace === undefined || (seconds >= 0 && seconds <= grace)) return;
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  place.invalid(seconds, why);
};

const actions: { readonly [Kind in keyof Handler]-?: Rule<NonNullable<Handler[Kind]>, PodFacts> } =
  {
    exec: fields<ExecAction, PodFacts>({ command: required }),
    httpGet: fields<HTTPGetAction, PodFacts>({
      path: required,
      port: portNumberOrName,
      scheme: knownChoice("HTTP", "HTTPS"),
      httpHeaders: headers,
    }),
    tcpSocket: fields<TCPSocketAction, PodFacts>({ port: portNumberOrName }),
    grpc: fields<GRPCAction, PodFacts>({ port: portNumberOrName }),
    sleep,
  };

/** The first kind that is there is the one that counts. */
export function checkHandler(handler: Handler, place: Place<PodFacts>): void {
  let found = false;
  for (const kind of ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const) {
    const action = handler[kind];
    if (!action) continue;
    if (found) place.child(kind).forbidden("may not specify more than 1 handler type");
    else (actions[kind] as Rule<object, PodFacts>)(action, place.child(kind));
    found = true;
  }
  if (!found) place.required("must specify a handler type");
}
