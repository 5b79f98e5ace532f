import { ApiError, type GroupResource } from "@homeostat/object-model";
import type { Pod } from "@homeostat/object-model/core-v1";
import type { AdmittedChange } from "../admission/admission.ts";
import type { Answer } from "../answers/answer.ts";
import { methodNotAllowed } from "../answers/not-found.ts";
import { PlaneReader } from "../registry/plane-reader.ts";
import { admissionRequestOf } from "../verbs/admission-request.ts";
import { creationOf } from "../verbs/creation-right.ts";
import type { ResourceRequest } from "../verbs/resource-request.ts";
import {
  type ConnectOptions,
  proxyOptions,
  readCommandOptions,
  readPortForwardOptions,
} from "./connect-options.ts";
import type { KubeletQuestion } from "./kubelet-location.ts";
import { readLogOptions } from "./log-options.ts";
import type { Destination } from "./node-connector.ts";
import { locateLog, openLog } from "./pod-log.ts";
import { locateCommand, locatePortForward } from "./pod-streams.ts";
import { answerByProxy } from "./proxy-answer.ts";
import { locateNode, locatePod, locateService, type ProxyPlace } from "./proxy-location.ts";
import { splitProxyPath } from "./proxy-path.ts";

const PODS: GroupResource = { group: "", resource: "pods" };

/** The methods of subresources that a node answers, and not this server. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  log: ["GET"],
  exec: ["GET", "POST"],
  attach: ["GET", "POST"],
  portforward: ["GET", "POST"],
  proxy: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
};

/** Undefined for whatever this server answers itself. */
export function nodeAnswer(request: ResourceRequest, method: string): Promise<Answer> | undefined {
  const { subresource } = request;
  if (subresource === "" || !isAnsweredByNode(request)) return undefined;
  if (!METHODS[subresource]!.includes(method)) throw methodNotAllowed();
  return subresource === "log" ? log(request) : connect(request, method);
}

function isAnsweredByNode({ served, subresource }: ResourceRequest): boolean {
  const { group, plural } = served.definition;
  if (group !== "") return false;
  if (plural === "pods") return Object.hasOwn(METHODS, subresource);
  return (plural === "nodes" || plural === "services") && subresource === "proxy";
}

async function log(request: ResourceRequest): Promise<Answer> {
  checkAccept(request.asked.headers?.["accept"]);
  const options = readLogOptions(request.query, request.name);
  const to = locateLog(podOf(request), { ...questionOf(request), options });
  if (to === undefined) {
    return { status: 204, payload: { kind: "stream", chunks: (async function* () {})() } };
  }
  const { plane, name, signal } = request;
  const chunks = await openLog(plane.nodes.connector, to, { name, signal });
  return {
    status: 200,
    headers: { "content-type": "text/plain" },
    payload: { kind: "stream", chunks },
  };
}

async function connect(request: ResourceRequest, method: string): Promise<Answer> {
  const { query, subresource } = request;
  if (query.all("dryRun").length > 0) throw ApiError.badRequest("dryRun is not supported");
  if (subresource === "proxy") return proxy(request, method);
  const to =
    subresource === "portforward"
      ? await portForward(request, method)
      : await command(request, { method, kind: subresource === "attach" ? "attach" : "exec" });
  return { status: 101, payload: { kind: "passage", to } };
}

async function portForward(request: ResourceRequest, method: string): Promise<Destination> {
  const options = await admit(request, readPortForwardOptions(request.query));
  ensureMayCreate(request, method);
  return locatePortForward(podOf(request), options, questionOf(request));
}

async function command(
  request: ResourceRequest,
  { method, kind }: { readonly method: string; readonly kind: "exec" | "attach" },
): Promise<Destination> {
  const options = await admit(request, readCommandOptions(kind, request.query));
  ensureMayCreate(request, method);
  return locateCommand(podOf(request), options, questionOf(request));
}

async function proxy(request: ResourceRequest, method: string): Promise<Answer> {
  const { prefix, path: asked } = splitProxyPath(request.asked.path);
  const { plural } = request.served.definition;
  const { path = "" } = await admit(request, proxyOptions(plural, asked));
  const at = locateProxied(request);
  return answerByProxy(request, { method, at, prefix, path });
}

/** The options as plugins and webhooks leave them. */
async function admit<T extends ConnectOptions>(request: ResourceRequest, options: T): Promise<T> {
  const { admission } = request.plane;
  const asked = admissionRequestOf(request, {
    options: { dryRun: false, fieldManager: "", givenFieldValidation: "" },
    body: { kind: options.kind ?? "", apiVersion: "v1" },
  });
  const change: AdmittedChange = { operation: "CONNECT", object: options, old: undefined };
  await admission.mutate(change, asked);
  await admission.validate(change, asked);
  return change.object as T;
}

/** WebSocket clients can only GET; whoever may merely read must not run commands for it. */
function ensureMayCreate(request: ResourceRequest, method: string): void {
  if (method === "POST") return;
  const asked = creationOf(request);
  const { allowed, reason } = request.plane.authorizer.authorize(request.user, asked);
  if (!allowed) throw ApiError.forbidden(asked, asked.name, reason);
}

const LOG_TYPES = [
  "text/plain",
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

/** A log is text; the other types are those of its refusals. */
function checkAccept(accept = ""): void {
  const ranges = accept.split(",").map((each) => each.split(";", 1)[0]!.trim());
  const known = new Set(["", "*/*", "text/*", "application/*", ...LOG_TYPES]);
  if (ranges.some((each) => known.has(each))) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${LOG_TYPES.join(", ")}`;
  throw new ApiError({ reason: "NotAcceptable", message, details: {} });
}

function locateProxied(request: ResourceRequest): ProxyPlace {
  const { namespace, name, plane, served } = request;
  const question = { ...questionOf(request), namespace, id: name, random: plane.random };
  switch (served.definition.plural) {
    case "pods":
      return locatePod(question);
    case "nodes":
      return locateNode(question);
    default:
      return locateService(question);
  }
}

function podOf({ plane, name, namespace }: ResourceRequest): Pod {
  const pod = new PlaneReader(plane).get(PODS, name, namespace);
  if (pod === undefined) throw ApiError.notFound(PODS, name);
  return pod as Pod;
}

function questionOf({ plane, served }: ResourceRequest): KubeletQuestion {
  return {
    reader: new PlaneReader(plane),
    access: plane.nodes,
    about: served.stored.groupResource,
  };
}
