import { groupVersionKindOf, type KubernetesObject } from "@homeostat/object-model";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import type { AdmissionRequest, AdmittedChange } from "../admission/admission.ts";
import type { ResourceRequest } from "./resource-request.ts";
import type { WriteOptions } from "./write-options.ts";

interface AdmissionOf {
  readonly options: Omit<WriteOptions, "fieldValidation"> | DeleteOptions;
  /** Where the path has none. */
  readonly name?: string;
  /** The body of a subresource that is of another kind than the resource. */
  readonly body?: { readonly kind: string; readonly apiVersion: string };
}

/** What admission is told of a request. */
export function admissionRequestOf(
  request: ResourceRequest,
  { options, name = request.name, body }: AdmissionOf,
): AdmissionRequest {
  const { served, namespace, subresource, user, warnings, audit, signal, deadline } = request;
  const { kind } = served.definition;
  const isWrite = "givenFieldValidation" in options;
  return {
    served,
    kind: groupVersionKindOf(body ?? { kind, apiVersion: served.apiVersion }),
    namespace,
    name,
    subresource,
    user,
    dryRun: isWrite ? options.dryRun : (options.dryRun ?? []).length > 0,
    fieldManager: isWrite ? options.fieldManager : "",
    fieldValidation: isWrite ? options.givenFieldValidation : "",
    ...(isWrite ? {} : { deleteOptions: options }),
    signal,
    deadline,
    warn: (text) => void warnings.push(text),
    annotate: (key, value, how) => audit?.annotate(key, value, how),
  };
}

interface AdmittedBody<T extends KubernetesObject> {
  readonly object: T;
  readonly old?: Readonly<T>;
  readonly options: WriteOptions;
  readonly name?: string;
}

/**
 * Admits the body of a subresource that is of a kind of its own, or of something that is answered and
 * not kept. What comes back is what to go on with.
 */
export async function admitBody<T extends KubernetesObject>(
  request: ResourceRequest,
  { object, old, options, name }: AdmittedBody<T>,
): Promise<T> {
  const { admission } = request.plane;
  const body = { kind: object.kind ?? "", apiVersion: object.apiVersion ?? "" };
  const asked = admissionRequestOf(request, { options, body, ...(name && { name }) });
  const operation = old === undefined ? "CREATE" : "UPDATE";
  const change: AdmittedChange = { operation, object, old };
  await admission.mutate(change, asked);
  await admission.validate(change, asked);
  return change.object as T;
}
