/**
 * Binding: the scheduler's decision which node a pod runs on. It can be made once; labels and
 * annotations of the Binding are laid over those of the pod, and its uid and resource version are
 * preconditions.
 */
import {
  ApiError,
  checkPathSegmentName,
  FieldError,
  FieldPath,
  printFieldErrors,
  type SuccessStatus,
  setOwnKey,
  successStatus,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { Binding, Pod } from "@homeostat/object-model/core-v1";
import type { ObjectStore } from "./object-store.ts";
import { setPodCondition } from "./pod-condition.ts";

const PODS = { group: "", resource: "pods" };
const BINDINGS = { group: "", resource: "pods/binding" };

/** Refuses a Binding that cannot be meant for the pod of this name. */
export function checkBinding(binding: Readonly<Binding>, name: string): void {
  if ((binding.metadata?.name ?? "") !== name) {
    throw ApiError.badRequest("name in URL does not match name in Binding object");
  }
  const { kind = "", name: node = "" } = binding.target ?? {};
  const target = FieldPath.of("target");
  const errors: FieldError[] = [];
  if (kind !== "" && kind !== "Node") {
    errors.push(FieldError.notSupported(target.child("kind"), kind, ["Node", "<empty>"]));
  }
  if (node === "") errors.push(FieldError.required(target.child("name")));
  if (errors.length > 0) {
    throw new ApiError({ message: printFieldErrors(errors), httpStatus: 500 });
  }
  // Without a name in the address, the body's is only now looked at.
  if (name === "") throw ApiError.badRequest("Name parameter required.");
  const problems = checkPathSegmentName(name);
  if (problems.length === 0) return;
  const why = `Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(";")}`;
  throw ApiError.badRequest(why);
}

/** Puts the pod on the node; `now` in milliseconds since 1970. */
export function bindPod(pod: Pod, binding: Readonly<Binding>, now: number): Pod {
  const { name = "" } = pod.metadata;
  checkPreconditions(pod, binding);
  const refuse = (why: string): ApiError => ApiError.conflict(BINDINGS, name, why);
  if (pod.metadata.deletionTimestamp != null) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const spec = (pod.spec ??= { containers: [] });
  if (spec.nodeName) {
    throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  if ((spec.schedulingGates ?? []).length > 0) {
    throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  }
  spec.nodeName = binding.target.name ?? "";
  delete pod.status?.nominatedNodeName;
  const { annotations, labels } = binding.metadata ?? {};
  if (annotations) lay(annotations, (pod.metadata.annotations ??= {}));
  if (labels) lay(labels, (pod.metadata.labels ??= {}));
  const condition = { type: "PodScheduled", status: "True" };
  setPodCondition(pod, condition, timeOfMilliseconds(now));
  return pod;
}

function lay(entries: Readonly<Record<string, string>>, map: Record<string, string>): void {
  for (const [key, value] of Object.entries(entries)) setOwnKey(map, key, value);
}

function checkPreconditions(pod: Readonly<Pod>, { metadata = {} }: Readonly<Binding>): void {
  const { name = "", namespace = "", uid, resourceVersion } = pod.metadata;
  const fail = (what: string, wanted: string, actual: string | undefined): ApiError => {
    const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`;
    const key = `/registry/pods/${namespace}/${name}`;
    const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
    return ApiError.conflict(PODS, name, text);
  };
  if (metadata.uid && metadata.uid !== uid) throw fail("UID", metadata.uid, uid);
  if (metadata.resourceVersion && metadata.resourceVersion !== resourceVersion) {
    throw fail("ResourceVersion", metadata.resourceVersion, resourceVersion);
  }
}

/** `pods/{name}/binding`, and `bindings`, where the name comes from the body. */
export class Bindings {
  readonly #pods: ObjectStore;
  readonly #now: () => number;

  /** `now` tells wall time in milliseconds since 1970. */
  constructor(pods: ObjectStore, now: () => number) {
    this.#pods = pods;
    this.#now = now;
  }

  async create(
    binding: Readonly<Binding>,
    place: { readonly name: string; readonly namespace: string; readonly dryRun: boolean },
  ): Promise<SuccessStatus> {
    const { namespace = "" } = binding.metadata ?? {};
    if (namespace !== "" && namespace !== place.namespace) {
      const why =
        "the namespace of the provided object does not match the namespace sent on the request";
      throw ApiError.badRequest(why);
    }
    checkBinding(binding, place.name);
    await this.#pods.update(place, (current) => bindPod(current as Pod, binding, this.#now()), {
      subresource: "binding",
      dryRun: place.dryRun,
    });
    return { ...successStatus(), code: 201 };
  }
}
