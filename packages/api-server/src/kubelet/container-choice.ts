import { ApiError } from "@homeostat/object-model";
import type { Pod } from "@homeostat/object-model/core-v1";

/** The container that is meant: the one named, or the only one there is. */
export function chooseContainer({ metadata, spec }: Pod, wanted: string): string {
  const pod = metadata?.name ?? "";
  const containers = spec?.containers ?? [];
  const names = [
    ...(spec?.initContainers ?? []),
    ...containers,
    ...(spec?.ephemeralContainers ?? []),
  ].map(({ name }) => name ?? "");
  if (wanted !== "") {
    if (names.includes(wanted)) return wanted;
    throw ApiError.badRequest(`container ${wanted} is not valid for pod ${pod}`);
  }
  if (containers.length === 1) return containers[0]!.name ?? "";
  const must = `a container name must be specified for pod ${pod}`;
  if (containers.length === 0) throw ApiError.badRequest(must);
  throw ApiError.badRequest(`${must}, choose one of: [${names.join(" ")}]`);
}
