/** Resource claims, their templates, and the devices of resource slices. */
import { timeOfMilliseconds } from "@homeostat/object-model";
import type {
  Device,
  DeviceSubRequest,
  DeviceTaint,
  DeviceToleration,
  ExactDeviceRequest,
} from "@homeostat/object-model/resource-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

const EXACT_COUNT = { allocationMode: "ExactCount" };

export const resourceClaimRules: readonly NamedTypeRules[] = [
  rulesFor<ExactDeviceRequest>("resource.v1.ExactDeviceRequest", {
    defaults: EXACT_COUNT,
    setDefaults: countOne,
  }),
  rulesFor<DeviceSubRequest>("resource.v1.DeviceSubRequest", {
    defaults: EXACT_COUNT,
    setDefaults: countOne,
  }),
  rulesFor<DeviceToleration>("resource.v1.DeviceToleration", { defaults: { operator: "Equal" } }),
  rulesFor<DeviceTaint>("resource.v1.DeviceTaint", {
    setDefaults(taint, { now }) {
      if (now !== undefined) taint.timeAdded ??= timeOfMilliseconds(now);
    },
  }),
  rulesFor<Device>("resource.v1.Device", { setDefaults: setMultipliers }),
];

function countOne(request: Unchecked<ExactDeviceRequest | DeviceSubRequest>): void {
  if (request.allocationMode === "ExactCount") request.count ||= 1;
}

function setMultipliers(device: Unchecked<Device>): void {
  for (const mapping of Object.values(device.nodeAllocatableResourceMappings ?? {})) {
    mapping.allocationMultiplier ??= "1";
  }
}
