import { ApiError } from "@homeostat/object-model";
import type { Pod, PodPortForwardOptions } from "@homeostat/object-model/core-v1";
import type { CommandOptions } from "./connect-options.ts";
import { chooseContainer } from "./container-choice.ts";
import { type KubeletQuestion, locateKubelet } from "./kubelet-location.ts";
import type { Destination } from "./node-connector.ts";

/** Where exec and attach go: only what the options mean is passed on, under the kubelet's names. */
export function locateCommand(
  pod: Pod,
  options: CommandOptions,
  question: KubeletQuestion,
): Destination {
  const container = chooseContainer(pod, options.container ?? "");
  const parameters = new URLSearchParams();
  if ("command" in options) {
    for (const each of options.command) parameters.append("command", each);
  }
  if (options.stderr === true) parameters.set("error", "1");
  if (options.stdin === true) parameters.set("input", "1");
  if (options.stdout === true) parameters.set("output", "1");
  if (options.tty === true) parameters.set("tty", "1");
  const { namespace = "", name = "" } = pod.metadata ?? {};
  const endpoint = options.kind === "PodAttachOptions" ? "attach" : "exec";
  const path = `/${endpoint}/${namespace}/${name}/${container}`;
  return onNodeOf(pod, withQuery(path, parameters), question);
}

export function locatePortForward(
  pod: Pod,
  { ports = [] }: PodPortForwardOptions,
  question: KubeletQuestion,
): Destination {
  const { namespace = "", name = "" } = pod.metadata ?? {};
  const parameters = new URLSearchParams();
  if (ports.length > 0) parameters.set("port", ports.join(","));
  return onNodeOf(pod, withQuery(`/portForward/${namespace}/${name}`, parameters), question);
}

function onNodeOf(pod: Pod, target: string, question: KubeletQuestion): Destination {
  const nodeName = pod.spec?.nodeName ?? "";
  if (nodeName === "") {
    throw ApiError.badRequest(`pod ${pod.metadata?.name ?? ""} does not have a host assigned`);
  }
  const kubelet = locateKubelet(nodeName, question);
  return { scheme: "https", ...kubelet, target, peer: "kubelet", globalOnly: false };
}

function withQuery(path: string, parameters: URLSearchParams): string {
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}
