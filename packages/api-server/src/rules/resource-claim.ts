/** Resource claims, their templates, and the devices of resource slices. */
import { timeOfMilliseconds } from "@homeostat/object-model";
import type {
  Device,
  DeviceSubRequest,
  DeviceTaint,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceClaimTemplateSpec,
  ResourceSlice,
} from "@homeostat/object-model/resource-v1";
import { type ChangeRule, changedFields, fields } from "@homeostat/schema";
import { immutableStruct } from "./checks/immutable-parts.ts";
import { deviceClaim } from "./devices/device-claim.ts";
import { resourceSlice, sliceChange } from "./devices/slice-spec.ts";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";
import { templateMetadata } from "./volumes/claim-template.ts";

const EXACT_COUNT = { allocationMode: "ExactCount" };

const claimSpec = fields<ResourceClaimSpec>({ devices: deviceClaim });

const template = fields<ResourceClaimTemplate>({
  spec: fields<ResourceClaimTemplateSpec>({ metadata: templateMetadata, spec: claimSpec }),
});

/** What an update says before it looks at what changed, although nothing but metadata may. */
export const templateAgain: ChangeRule<ResourceClaimTemplate> = ({ value }, place) =>
  template(value, place);

export const resourceClaimRules: readonly NamedTypeRules[] = [
  rulesFor<ResourceClaim>("resource.v1.ResourceClaim", {
    validate: fields<ResourceClaim>({ spec: claimSpec }),
    validateChange: changedFields<ResourceClaim>({
      spec: immutableStruct("resource.ResourceClaimSpec"),
    }),
  }),
  rulesFor<ResourceClaimTemplate>("resource.v1.ResourceClaimTemplate", {
    validate: template,
    validateChange: changedFields<ResourceClaimTemplate>({
      spec: immutableStruct("resource.ResourceClaimTemplateSpec"),
    }),
  }),
  rulesFor<ResourceSlice>("resource.v1.ResourceSlice", {
    validate: resourceSlice,
    validateChange: sliceChange,
  }),
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
