import { ApiError, encodeJsonBytes, type KubernetesObject } from "@homeostat/object-model";
import type { Answer, ListPayload } from "../answers/answer.ts";
import { deepFreeze } from "../answers/freeze.ts";
import { printedJson, valuePayload } from "../answers/object-payload.ts";
import { storeProblem } from "../registry/store-problem.ts";
import { ComponentStatuses } from "../subresources/component-statuses.ts";
import { readListOptions } from "./list-options.ts";
import type { ResourceRequest } from "./resource-request.ts";

const KIND = { kind: "ComponentStatus", apiVersion: "v1" };

/** Nothing of them is kept: each is found out now. */
export async function componentStatuses(request: ResourceRequest): Promise<Answer> {
  const { plane, name, query, served } = request;
  if (query.flag("watch") === true) {
    throw ApiError.methodNotAllowed(served.stored.groupResource, "watch");
  }
  const statuses = new ComponentStatuses({
    clock: plane.clock,
    connector: plane.nodes.connector,
    storeProblem: () => storeProblem(plane.store),
  });
  if (name !== "") {
    const found = await statuses.get(name);
    const resource = { group: "", resource: "componentstatus" };
    if (found === undefined) throw ApiError.notFound(resource, name);
    return { status: 200, payload: valuePayload({ ...KIND, ...found }) };
  }
  const { labels, fields } = readListOptions(query, served, { watch: false });
  const wanted = statuses.names.filter(
    (each) => labels.matches({}) && fields.matches({ "metadata.name": each }),
  );
  const items = await Promise.all(wanted.map((each) => statuses.get(each)));
  return { status: 200, payload: listOf(items as KubernetesObject[]) };
}

function listOf(items: readonly KubernetesObject[]): ListPayload {
  const frame = { kind: "ComponentStatusList", apiVersion: "v1", metadata: {} };
  const list = { ...frame, items };
  return {
    kind: "list",
    frame,
    chunks: () => [encodeJsonBytes(list)],
    object: () => deepFreeze(structuredClone(list)),
    items: () => items.map((item) => ({ ...KIND, ...structuredClone(item) })),
    itemJson: () => items.map(printedJson),
  };
}
