import type { QuotaWriter } from "../admission/resource-quota/resource-quota.ts";
import { fieldManagerOf } from "../managed-fields/served-field-manager.ts";
import type { Plane } from "../registry/plane.ts";
import type { Registry } from "../registry/registry.ts";
import { RepositoryObjects } from "./repository-objects.ts";

const SERVER = { username: "system:apiserver", groups: ["system:masters"] };

/** Writes the status of quotas as kube-apiserver does: as a client of its own. */
export function quotaWriter(plane: Plane, registry: Registry): QuotaWriter {
  const served = plane.table.find("", "v1", "resourcequotas")!;
  return (place, change) => {
    const quotas = new RepositoryObjects(registry.of(served.stored), {
      plane,
      user: SERVER,
      fieldManager: fieldManagerOf(served, "status", plane.table),
    });
    return quotas.update(place, change, { subresource: "status", dryRun: false });
  };
}
