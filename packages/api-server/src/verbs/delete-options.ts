import {
  ApiError,
  FieldError,
  FieldPath,
  schemaOf,
} from "@homeostat/object-model";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import { decodeBody } from "./decode-draft.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { checkDryRun } from "./write-options.ts";

const POLICIES = ["Background", "Foreground", "Orphan"];

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
    errors.push(FieldError.notSupported(path, propagationPolicy, POLICIES));
  }
  errors.push(...checkDryRun(options.dryRun ?? []));
  if (errors.length > 0) {
    throw ApiError.invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  }
  return options;
}

async function fromBody({ body, served }: ResourceRequest): Promise<DeleteOptions> {
  const decoded = await decodeBody(
    body,
    { kind: "DeleteOptions", apiVersion: namedVersion(await body.decodeObject(), served.apiVersion), schema: schemaOf("meta.v1.DeleteOptions") },
    "Ignore",
  );
  return decoded.object as DeleteOptions;
}

/** Options exist in every version: whichever the body names is right. */
function namedVersion({ value }: { readonly value: unknown }, otherwise: string): string {
  const named = (value as { apiVersion?: unknown } | null)?.apiVersion;
  return typeof named === "string" && named !== "" ? named : otherwise;
}

function fromQuery({ query }: ResourceRequest): DeleteOptions {
  const options: DeleteOptions = {};
  const grace = query.get("gracePeriodSeconds");
  if (grace !== "") {
    if (!/^[+-]?[0-9]+$/.test(grace)) {
      throw ApiError.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
    }
    options.gracePeriodSeconds = Number(grace);
  }
  const orphan = query.flag("orphanDependents");
  if (orphan !== undefined) options.orphanDependents = orphan;
  const policy = query.get("propagationPolicy");
  if (policy !== "") options.propagationPolicy = policy;
  const dryRun = query.all("dryRun").filter((each) => each !== "");
  if (dryRun.length > 0) options.dryRun = [...dryRun];
  return options;
}
