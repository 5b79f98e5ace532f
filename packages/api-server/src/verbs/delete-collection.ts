import { ApiError } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { listPayload } from "../answers/list-payload.ts";
import { deleteObject } from "../registry/delete-object.ts";
import { partsOfKey } from "../registry/storage-key.ts";
import { readDeleteOptions } from "./delete-options.ts";
import { collect } from "./list.ts";
import { type ListOptions, readListOptions } from "./list-options.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";

/** One deletion per object that matches; what is gone already is no error. */
export async function deleteCollection(request: ResourceRequest): Promise<Answer> {
  const { repository, query, served } = request;
  const listOptions = readListOptions(query, served, { watch: false });
  const options = await readDeleteOptions(request);
  request.warnings.push(...(repository.kind.strategy.warningsOnDelete?.(options) ?? []));
  const { items, metadata } = await collect(request, atThatVersion(listOptions));
  const scope = scopeOf(request, options);
  for (const { key } of items) {
    const { namespace, name } = partsOfKey(repository.kind, key);
    try {
      await deleteObject(repository, { name, options }, { ...scope, namespace });
    } catch (error) {
      if (!ApiError.is(error, "NotFound")) throw error;
    }
  }
  return { status: 200, payload: listPayload({ items, metadata, served }) };
}

/** kube-apiserver reads what it is to delete in pages, and a page is of exactly the version named. */
function atThatVersion(options: ListOptions): ListOptions {
  const { resourceVersion, resourceVersionMatch } = options;
  const isNamed = resourceVersion !== "" && resourceVersion !== "0";
  return isNamed && resourceVersionMatch === ""
    ? { ...options, resourceVersionMatch: "Exact" }
    : options;
}
