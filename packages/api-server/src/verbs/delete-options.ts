import { ApiError, FieldError, FieldPath, JsonError, schemaOf } from "@homeostat/object-model";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { readObject } from "../codec/read-object.ts";
import { ProtobufError } from "../protobuf/protobuf-error.ts";
import { NoKindError, namedKind, unregistered } from "./body-kind.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { checkDryRun } from "./write-options.ts";

const POLICIES = ["Foreground", "Background", "Orphan"];

/** From the body where there is one, else from the parameters. */
export async function readDeleteOptions(request: ResourceRequest): Promise<DeleteOptions> {
  const options = request.body.isEmpty ? fromQuery(request) : await fromBody(request);
  const errors: FieldError[] = [];
  const { orphanDependents, propagationPolicy } = options;
  const path = FieldPath.of("propagationPolicy");
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    const detail = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(FieldError.invalid(path, propagationPolicy, detail));
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    errors.push(FieldError.notSupported(path, propagationPolicy, [...POLICIES, "nil"]));
  }
  errors.push(...checkDryRun(options.dryRun ?? []));
  if (errors.length > 0) {
    throw ApiError.invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  }
  return options;
}

/** Options exist in every version: whichever the body names is right. */
async function fromBody({ body }: ResourceRequest): Promise<DeleteOptions> {
  try {
    const { value } = await body.decodeObject({ kind: "DeleteOptions", apiVersion: "v1" });
    const named = namedKind(value);
    if (named !== undefined && named.apiVersion.split("/").length > 2) {
      throw ApiError.badRequest(`unexpected GroupVersion string: ${named.apiVersion}`);
    }
    if (named !== undefined && named.kind !== "DeleteOptions") {
      throw ApiError.badRequest(unregistered(named));
    }
    return readObject(schemaOf("meta.v1.DeleteOptions"), value).object;
  } catch (error) {
    if (error instanceof JsonError) {
      throw ApiError.badRequest(`couldn't get version/kind; json parse error: ${error.reason}`);
    }
    const isTold =
      error instanceof ObjectDecodeError ||
      error instanceof NoKindError ||
      error instanceof ProtobufError;
    if (isTold) throw ApiError.badRequest(error.message);
    throw error;
  }
}

function fromQuery({ query }: ResourceRequest): DeleteOptions {
  const options: DeleteOptions = {};
  const grace = query.integer("gracePeriodSeconds");
  if (grace !== undefined) options.gracePeriodSeconds = grace;
  const orphan = query.flag("orphanDependents");
  if (orphan !== undefined) options.orphanDependents = orphan;
  const policy = query.get("propagationPolicy");
  if (policy !== "") options.propagationPolicy = policy;
  const dryRun = query.all("dryRun");
  if (dryRun.length > 0) options.dryRun = [...dryRun];
  return options;
}
