import { ApiError, type JsonObject, schemaOf } from "@homeostat/object-model";
import type { Scale } from "@homeostat/object-model/autoscaling-v1";
import type { Binding } from "@homeostat/object-model/core-v1";
import type { Answer } from "../answers/answer.ts";
import { resourceNotFound } from "../answers/not-found.ts";
import { valuePayload } from "../answers/object-payload.ts";
import { CustomScales } from "../custom-resources/custom-scale.ts";
import type { FieldManager } from "../managed-fields/field-manager.ts";
import {
  fieldManagerOf,
  scaleFieldManager,
  scaleMappingOf,
} from "../managed-fields/served-field-manager.ts";
import { builtinCodec } from "../registry/object-codec.ts";
import type { Plane } from "../registry/plane.ts";
import type { CustomScale } from "../registry/served-resource.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import { Bindings } from "../subresources/binding.ts";
import { Evictions } from "../subresources/eviction.ts";
import { Reviewer } from "../subresources/review.ts";
import { Scales } from "../subresources/scale.ts";
import { admitBody } from "./admission-request.ts";
import { readConfiguration } from "./apply.ts";
import { componentStatuses } from "./component-statuses.ts";
import { receiveNew, takeNamespace } from "./create.ts";
import { decodeBody } from "./decode-draft.ts";
import { issueToken } from "./issue-token.ts";
import { writerOf } from "./manage-fields.ts";
import { readPatch } from "./patch.ts";
import { isApply } from "./patched-object.ts";
import { RepositoryObjects } from "./repository-objects.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { takeName } from "./update.ts";
import { readWriteOptions, type WriteOptions } from "./write-options.ts";

/** Subresources and kinds that are answered by a program of their own, not by the object's verbs. */
export function specialAnswer(
  request: ResourceRequest,
  method: string,
): Promise<Answer> | undefined {
  const { subresource, served } = request;
  switch (subresource) {
    case "scale":
      return scale(request, method);
    case "binding":
      return bind(request);
    case "eviction":
      return evict(request);
    case "token":
      return issueToken(request);
    case "":
      break;
    default:
      // What a node answers has been passed on before (kubelet/node-answer.ts).
      if (speaksOwnKind(request)) return undefined;
      if (request.repository.find(request.namespace, request.name) === undefined) {
        throw ApiError.notFound(request.repository.kind.groupResource, request.name);
      }
      throw resourceNotFound();
  }
  const { plural } = served.definition;
  if (plural === "bindings") return bind(request);
  if (plural === "componentstatuses" && served.custom === undefined) {
    return componentStatuses(request);
  }
  return isReview(request) ? review(request) : undefined;
}

function speaksOwnKind({ served: { definition }, subresource }: ResourceRequest): boolean {
  const found = definition.subresources.find(({ name }) => name === subresource);
  return found?.kind === definition.kind && subresource !== "log";
}

/** Kinds that can only be created are questions: they are answered, not kept. */
function isReview({ served }: ResourceRequest): boolean {
  const { verbs } = served.definition;
  return verbs.length === 1 && verbs[0] === "create";
}

async function scale(request: ResourceRequest, method: string): Promise<Answer> {
  const { name, namespace, repository, plane, user, warnings, served } = request;
  if (served.custom?.scale !== undefined) return customScale(request, served.custom.scale, method);
  const uidPrecondition = method === "PUT";
  const objects = new RepositoryObjects(repository, { plane, user, uidPrecondition, warnings });
  const scales = new Scales(objects, scaleMappingOf(served, plane.table));
  if (method === "GET") return answerOf(200, scales.get(name, namespace));
  const change = await changeOfScale(request, method);
  const { dryRun } = change.options;
  const produce = (current: Scale): Promise<Scale> => admitScale(request, change, current);
  return answerOf(200, await scales.update({ name, namespace, dryRun }, produce));
}

async function customScale(
  request: ResourceRequest,
  paths: CustomScale,
  method: string,
): Promise<Answer> {
  const { name, namespace, repository, served, plane } = request;
  const mapping = scaleMappingOf(served, plane.table);
  const scales = new CustomScales(repository, { paths, mapping });
  if (method === "GET") return answerOf(200, await scales.get(name, namespace));
  const change = await changeOfScale(request, method);
  const { admission: _, ...scope } = scopeOf(request, change.options);
  const placed = { ...scope, subresource: "", uidPrecondition: method === "PUT" };
  const produce = (current: Scale): Promise<Scale> => admitScale(request, change, current);
  return answerOf(200, await scales.update(name, placed, produce));
}

/** Plugins see the Scale, not the object it is a view of. */
async function admitScale(
  request: ResourceRequest,
  { options, produce }: ScaleChange,
  current: Scale,
): Promise<Scale> {
  const old = structuredClone(current);
  return admitBody(request, { object: produce(current), old, options });
}

interface ScaleChange {
  readonly options: WriteOptions;
  readonly produce: (current: Scale) => Scale;
}

async function changeOfScale(request: ResourceRequest, method: string): Promise<ScaleChange> {
  if (method === "PUT") return scaleOfBody(request);
  return isApply(request.body) ? appliedScale(request) : patchedScale(request);
}

async function scaleOfBody(request: ResourceRequest): Promise<ScaleChange> {
  const options = readWriteOptions(request.query, "UpdateOptions");
  const { object, warnings } = await decodeBody(request.body, SCALE, options.fieldValidation);
  request.warnings.push(...warnings);
  placeScale(object, request);
  const produce = (current: Scale): Scale => {
    const copy = structuredClone(object);
    manageScale(request, { changed: copy, current }, options.fieldManager);
    return copy;
  };
  return { options, produce };
}

function patchedScale(request: ResourceRequest): ScaleChange {
  const { change, options } = readPatch(request);
  const produce = (current: Scale): Scale => {
    const object = change.applyTo(current as unknown as JsonObject, SCALE);
    manageScale(request, { changed: object, current }, options.fieldManager);
    placeScale(object, request);
    return object;
  };
  return { options, produce };
}

async function appliedScale(request: ResourceRequest): Promise<ScaleChange> {
  const configuration = await readConfiguration(request);
  const manager = scaleFieldManager();
  const { codec } = SCALE;
  const produce = (current: Scale): Scale => {
    const live = current as unknown as JsonObject;
    const { object } = configuration.applyTo(live, { manager, codec });
    placeScale(object, request);
    return object;
  };
  return { options: configuration.options, produce };
}

function manageScale(
  request: ResourceRequest,
  { changed, current }: { readonly changed: JsonObject; readonly current: Scale },
  fieldManager: string,
): void {
  const live = current as unknown as JsonObject;
  scaleFieldManager().update(live, changed, writerOf(request, fieldManager));
}

function placeScale(object: JsonObject, request: ResourceRequest): void {
  takeNamespace(object, request);
  takeName(object, request.name);
}

const SCALE = {
  kind: "Scale",
  apiVersion: "autoscaling/v1",
  get codec() {
    return builtinCodec(schemaOf("autoscaling.v1.Scale"));
  },
};

async function bind(request: ResourceRequest): Promise<Answer> {
  const { registry, plane, user, namespace } = request;
  const options = readWriteOptions(request.query, "CreateOptions");
  const kind = {
    kind: "Binding",
    apiVersion: "v1",
    codec: builtinCodec(schemaOf("core.v1.Binding")),
  };
  const { object, warnings } = await decodeBody(request.body, kind, options.fieldValidation);
  request.warnings.push(...warnings);
  const given = object as unknown as Binding;
  const name = request.name === "" ? (given.metadata?.name ?? "") : request.name;
  const binding = await admitBody(request, { object: given, options, name });
  const pods = new RepositoryObjects(registry.named("", "pods"), { plane, user });
  const bindings = new Bindings(pods, () => plane.clock.now());
  return answerOf(201, await bindings.create(binding, { name, namespace, dryRun: options.dryRun }));
}

async function evict(request: ResourceRequest): Promise<Answer> {
  const { registry, plane, user, name, namespace, query } = request;
  const options = readWriteOptions(query, "CreateOptions");
  const kind = {
    kind: "Eviction",
    apiVersion: "policy/v1",
    otherVersions: ["policy/v1beta1"],
    codec: builtinCodec(schemaOf("policy.v1.Eviction")),
  };
  const { object, warnings } = await decodeBody(request.body, kind, options.fieldValidation);
  request.warnings.push(...warnings);
  const eviction = await admitBody(request, { object, options });
  const evictions = new Evictions({
    pods: new RepositoryObjects(registry.named("", "pods"), { plane, user }),
    budgets: new RepositoryObjects(registry.named("policy", "poddisruptionbudgets"), {
      plane,
      user,
      // kube-apiserver writes budgets as a client of its own.
      fieldManager: budgetManager(plane),
    }),
    now: () => plane.clock.now(),
  });
  const dryRun = options.dryRun ? ["All"] : [];
  return answerOf(201, await evictions.create(eviction, { name, namespace, dryRun }));
}

function budgetManager({ table }: Plane): FieldManager {
  const budgets = table.find("policy", "v1", "poddisruptionbudgets")!;
  return fieldManagerOf(budgets, "status", table);
}

async function review(request: ResourceRequest): Promise<Answer> {
  const { served, user, plane } = request;
  const options = readWriteOptions(request.query, "CreateOptions");
  const expected = {
    kind: served.definition.kind,
    apiVersion: served.apiVersion,
    codec: served.codec,
  };
  const { object, warnings } = await decodeBody(request.body, expected, options.fieldValidation);
  request.warnings.push(...warnings);
  await receiveNew(request, object, options.fieldManager);
  const reviewer = new Reviewer({
    authorizer: plane.authorizer,
    authenticate: (token, audiences) => plane.authenticator.review(token, audiences),
    now: () => plane.clock.now(),
  });
  // A question may have a name, though nobody keeps it.
  const { name = "" } = metadataOf(object);
  const answer = reviewer.review(await admitBody(request, { object, options, name }), user);
  if (answer === undefined) throw ApiError.methodNotAllowed(served.stored.groupResource, "create");
  const printed = served.codec.print(answer as unknown as JsonObject);
  return answerOf(201, printed);
}

function answerOf(status: number, object: object): Answer {
  return { status, payload: valuePayload(object) };
}
