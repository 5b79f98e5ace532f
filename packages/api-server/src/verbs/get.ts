import { ApiError } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import { isUnsigned } from "../registry/unsigned-text.ts";
import { invalidResourceVersion } from "./list-options.ts";
import { reachRevision } from "./reached-revision.ts";
import type { ResourceRequest } from "./resource-request.ts";

export function get(request: ResourceRequest): Answer | Promise<Answer> {
  if (request.query.has("export")) {
    throw ApiError.badRequest(
      "the export parameter, deprecated since v1.14, is no longer supported",
    );
  }
  const version = request.query.get("resourceVersion");
  if (version === "" || version === "0") return read(request);
  if (!isUnsigned(version)) throw invalidResourceVersion(version);
  return reachRevision(version, request.plane, request.signal).then(() => read(request));
}

function read({ repository, namespace, name, served }: ResourceRequest): Answer {
  return { status: 200, payload: statePayload(repository.get(namespace, name), served) };
}
