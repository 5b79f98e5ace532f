/** The kinds of the resource group (devices): claims and their templates are fixed once made. */

import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimStatus,
  ResourceClaimTemplate,
  ResourceSlice,
} from "@homeostat/object-model/resource-v1";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { claimStatusChange } from "../rules/devices/claim-status.ts";
import { keepMetadata, keepSpec } from "./status-updates.ts";

export const deviceClasses: Strategy<DeviceClass> = { generation: true };

const claimStatus: SubresourceStrategy<ResourceClaim> = {
  prepareForUpdate(claim, old) {
    keepSpec(claim, old);
    keepMetadata(claim, old);
    dropReleasedDevices(claim.status, old.status);
  },
  validateUpdate: changeCheckOf(claimStatusChange),
};

export const resourceClaims: Strategy<ResourceClaim> = { subresources: { status: claimStatus } };

/** What a device that is no longer allocated reported goes with it. */
function dropReleasedDevices(
  status: ResourceClaimStatus | undefined,
  old: Readonly<ResourceClaimStatus> | undefined,
): void {
  if (status?.devices === undefined) return;
  const allocated = new Set((status.allocation?.devices?.results ?? []).map(deviceKey));
  const released = new Set(
    (old?.allocation?.devices?.results ?? []).map(deviceKey).filter((key) => !allocated.has(key)),
  );
  status.devices = status.devices.filter((device) => !released.has(deviceKey(device)));
  if (status.devices.length === 0) delete status.devices;
}

interface DeviceIdentity {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly shareID?: string;
}

function deviceKey({ driver, pool, device, shareID }: DeviceIdentity): string {
  return JSON.stringify([driver, pool, device, shareID ?? null]);
}

export const resourceClaimTemplates: Strategy<ResourceClaimTemplate> = {};

export const resourceSlices: Strategy<ResourceSlice> = {
  generation: true,
  selectableFields: {
    "spec.nodeName": (slice) => slice.spec?.nodeName ?? "",
    "spec.driver": (slice) => slice.spec?.driver ?? "",
  },
  warnings: ({ spec }) =>
    spec === undefined || spec.driver === spec.driver?.toLowerCase()
      ? []
      : [
          `spec.driver: driver names should be lowercase; ${JSON.stringify(spec.driver)} contains uppercase characters`,
        ],
};
