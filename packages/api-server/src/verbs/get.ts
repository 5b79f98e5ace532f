import { ApiError } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import { isUnsigned } from "../registry/unsigned-text.ts";
import type { ObjectState } from "../registry/write-scope.ts";
import { invalidResourceVersion } from "./list-options.ts";
import { reachRevision } from "./reached-revision.ts";
import type { ResourceRequest } from "./resource-request.ts";

export function get(request: ResourceRequest): Answer | Promise<Answer> {
  if (request.query.flag("export") === true) {
    throw ApiError.badRequest(
      "the export parameter, deprecated since v1.14, is no longer supported",
    );
  }
  const version = request.query.get("resourceVersion");
  if (version === "" || version === "0") return read(request);
  if (!isUnsigned(version)) throw invalidResourceVersion(version);
  return reachRevision(version, request.plane, request.signal).then(() => read(request));
}

function read(request: ResourceRequest): Answer | Promise<Answer> {
  const { repository, namespace, name, served } = request;
  const answer = (state: ObjectState): Answer => ({
    status: 200,
    payload: statePayload(state, served),
  });
  const found = repository.get(namespace, name);
  return found instanceof Promise ? found.then(answer) : answer(found);
}
