import type { MergeContext, VersionedValue } from "./managers.ts";
import { MergeValueError } from "./merge-value-error.ts";

/**
 * The object in another version, undefined where there is none. Where it does not fit the type it has
 * there, the error opens with `failure`, as kube-apiserver's does.
 */
export function convertFor(
  context: MergeContext,
  object: VersionedValue,
  { apiVersion, failure }: { readonly apiVersion: string; readonly failure: string },
): VersionedValue | undefined {
  try {
    return context.convert(object, apiVersion);
  } catch (error) {
    if (!(error instanceof MergeValueError)) throw error;
    throw new MergeValueError(error.problems, failure);
  }
}
