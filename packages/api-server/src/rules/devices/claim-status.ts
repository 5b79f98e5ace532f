/** What came of a claim: the devices it got, who uses it, and what drivers say of the devices. */
import type { Condition } from "@homeostat/object-model";
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from "@homeostat/object-model/resource-v1";
import { type ChangeRule, dns1123Label, fields, type Rule, required } from "@homeostat/schema";
import { distinctUpTo, isWithin, itself, upTo } from "../checks/bounded-lists.ts";
import { choice } from "../checks/choices.ts";
import { conditions } from "../checks/conditions.ts";
import { immutablePart } from "../checks/immutable-parts.ts";
import { interfaceAddress } from "../checks/interface-addresses.ts";
import { nodeSelector } from "../node-selector.ts";
import { bindingConditions } from "./binding-conditions.ts";
import { MAX_CONFIGURATIONS } from "./device-claim.ts";
import { deviceConfiguration, opaqueObject } from "./device-configuration.ts";
import { addTooLong, driverName, poolName, shareId } from "./device-names.ts";
import {
  type RequestNames,
  requestNamesOf,
  requestReference,
  requestReferences,
} from "./request-names.ts";

const MAX_RESULTS = 32;
const MAX_CONSUMERS = 256;
const MAX_CONDITIONS = 8;
const MAX_IPS = 16;
const MAX_INTERFACE_NAME = 256;
const MAX_HARDWARE_ADDRESS = 128;

interface DeviceIdentity {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
}

/** As messages show it. */
function identityOf(device: DeviceIdentity | undefined): object {
  const { driver = "", pool = "", device: name = "", shareID = "" } = device ?? {};
  return { Driver: driver, Pool: pool, Device: name, ShareID: shareID };
}

const consumers = distinctUpTo<ResourceClaimConsumerReference>({
  max: MAX_CONSUMERS,
  rule: fields<ResourceClaimConsumerReference>({
    resource: required,
    name: required,
    uid: required,
  }),
  keyOf: (consumer) => consumer?.uid ?? "",
});

function maxBytes(max: number): Rule<string> {
  return (value = "", place) => {
    if (Buffer.byteLength(value) > max) addTooLong(place, max);
  };
}

const networkData = fields<NetworkDeviceData>({
  interfaceName: maxBytes(MAX_INTERFACE_NAME),
  hardwareAddress: maxBytes(MAX_HARDWARE_ADDRESS),
  ips: distinctUpTo({ max: MAX_IPS, rule: interfaceAddress, keyOf: itself }),
});

const identityFields = fields<AllocatedDeviceStatus>({
  driver: driverName,
  pool: poolName,
  device: dns1123Label,
});

const deviceConditions: Rule<readonly Condition[]> = (list = [], place) => {
  isWithin(list.length, MAX_CONDITIONS, place);
  conditions(list, place);
};

const data = opaqueObject();

function deviceStatus(allocated: ReadonlySet<string>): Rule<AllocatedDeviceStatus> {
  return (device, place) => {
    identityFields(device, place);
    if (device?.shareID !== undefined) shareId(device.shareID, place.child("shareID"));
    const identity = identityOf(device);
    if (!allocated.has(JSON.stringify(identity))) {
      place.invalid(identity, "must be an allocated device in the claim");
    }
    deviceConditions(device?.conditions, place.child("conditions"));
    if (device?.data !== undefined && device.data !== null) data(device.data, place.child("data"));
    networkData(device?.networkData, place.child("networkData"));
  };
}

const newConfiguration = deviceConfiguration();

function allocatedConfiguration(names: RequestNames): Rule<DeviceAllocationConfiguration> {
  const references = requestReferences(names);
  const source = choice("FromClaim", "FromClass");
  return (value, place) => {
    source(value?.source, place.child("source"));
    references(value?.requests, place.child("requests"));
    newConfiguration(value, place);
  };
}

function allocatedDevice(names: RequestNames): Rule<DeviceRequestAllocationResult> {
  const reference = requestReference(names);
  return (result, place) => {
    reference(result?.request, place.child("request"));
    driverName(result?.driver, place.child("driver"));
    poolName(result?.pool, place.child("pool"));
    dns1123Label(result?.device, place.child("device"));
    bindingConditions(result, place);
    if (result?.shareID !== undefined) shareId(result.shareID, place.child("shareID"));
  };
}

const strictNodeSelector = nodeSelector();

function allocation(names: RequestNames): Rule<AllocationResult> {
  const results = upTo(MAX_RESULTS, allocatedDevice(names));
  const config = upTo(2 * MAX_CONFIGURATIONS, allocatedConfiguration(names));
  return (value, place) => {
    const at = place.child("devices");
    results(value?.devices?.results, at.child("results"));
    config(value?.devices?.config, at.child("config"));
    if (value?.nodeSelector !== undefined) {
      strictNodeSelector(value.nodeSelector, place.child("nodeSelector"));
    }
  };
}

const sameAllocation = immutablePart("resource.AllocationResult");

export const claimStatusChange: ChangeRule<ResourceClaim> = ({ value: claim, old }, root) => {
  const status = claim?.status ?? {};
  const place = root.child("status");
  const reservedAt = place.child("reservedFor");
  consumers(status.reservedFor, reservedAt);
  const results = status.allocation?.devices?.results ?? [];
  const allocated = new Set(results.map((result) => JSON.stringify(identityOf(result))));
  const devices = distinctUpTo({ rule: deviceStatus(allocated), keyOf: identityOf });
  devices(status.devices, place.child("devices"));

  const reserved = status.reservedFor ?? [];
  if (reserved.length > 0) {
    if (status.allocation === undefined) {
      reservedAt.forbidden("may not be specified when `allocated` is not set");
    } else if (claim?.metadata?.deletionTimestamp && hasNewConsumer(reserved, old)) {
      const why =
        "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
      reservedAt.forbidden(why);
    }
  }
  const at = place.child("allocation");
  const before = old?.status?.allocation;
  if (status.allocation === undefined) return;
  if (before !== undefined) sameAllocation({ value: status.allocation, old: before }, at);
  else allocation(requestNamesOf(claim?.spec?.devices))(status.allocation, at);
};

function hasNewConsumer(
  consumersNow: readonly ResourceClaimConsumerReference[],
  old: ResourceClaim | undefined,
): boolean {
  const keyOf = ({ apiGroup, resource, name, uid }: ResourceClaimConsumerReference): string =>
    JSON.stringify([apiGroup ?? "", resource, name, uid]);
  const before = new Set((old?.status?.reservedFor ?? []).map(keyOf));
  return consumersNow.some((consumer) => !before.has(keyOf(consumer)));
}
