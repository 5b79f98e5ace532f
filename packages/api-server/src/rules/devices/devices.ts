import type { Device } from "@homeostat/object-model/resource-v1";
import { dns1123Label, dns1123Subdomain, type Place, type Rule } from "@homeostat/schema";
import { sameForm } from "../../resources/internal-form.ts";
import { upTo } from "../checks/bounded-lists.ts";
import { nodeSelector } from "../node-selector.ts";
import { bindingConditions } from "./binding-conditions.ts";
import { deviceAttributes } from "./device-attributes.ts";
import { sharedCapacities, wholeCapacities } from "./device-capacities.ts";
import { consumedCounters } from "./device-counters.ts";
import { deviceTaint } from "./device-taints.ts";

const MAX_FACTS = 32;
const MAX_ATTRIBUTES = 48;
const MAX_TAINTS = 16;
const ONE_PLACE =
  "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

interface DeviceFacts {
  /** Devices of the slice say for themselves where they are. */
  readonly hasPlaces: boolean;
  readonly old: Device | undefined;
}

const taints = upTo(MAX_TAINTS, deviceTaint);
const strictNodeSelector = nodeSelector();

export function device({ hasPlaces, old }: DeviceFacts): Rule<Device> {
  return (value, place) => {
    dns1123Label(value?.name, place.child("name"));
    const { attributes = {}, capacity = {} } = value ?? {};
    checkSizes(Object.keys(attributes).length, Object.keys(capacity).length, place);
    deviceAttributes(attributes, place.child("attributes"));
    const capacities = value?.allowMultipleAllocations ? sharedCapacities : wholeCapacities;
    capacities(capacity, place.child("capacity"));
    if (old === undefined || !sameForm(old.taints ?? null, value?.taints ?? null)) {
      taints(value?.taints, place.child("taints"));
    }
    consumedCounters(value?.consumesCounters, place.child("consumesCounters"));
    if (hasPlaces) checkPlaces(value, place);
    else if (hasPlace(value)) {
      const why =
        "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
      place.invalid(null, why);
    }
    bindingConditions(value, place);
  };
}

function checkSizes(attributes: number, capacities: number, place: Place): void {
  const facts = attributes + capacities;
  if (facts > MAX_FACTS) {
    const why = `the total number of attributes and capacities must not exceed ${MAX_FACTS}`;
    place.invalid(facts, why);
  }
  if (attributes > MAX_ATTRIBUTES) {
    const why = `the total number of attribute values must not exceed ${MAX_ATTRIBUTES}`;
    place.invalid(attributes, why);
  }
}

function hasPlace(value: Device | undefined): boolean {
  const { nodeName, nodeSelector: selector, allNodes } = value ?? {};
  return nodeName !== undefined || selector !== undefined || allNodes !== undefined;
}

function checkPlaces(value: Device | undefined, place: Place): void {
  const given: string[] = [];
  const { nodeName, nodeSelector: selector, allNodes } = value ?? {};
  if (nodeName === "") place.child("nodeName").invalid(nodeName, "must not be empty");
  else if (nodeName !== undefined) {
    given.push("`nodeName`");
    dns1123Subdomain(nodeName, place.child("nodeName"));
  }
  if (selector !== undefined) {
    given.push("`nodeSelector`");
    strictNodeSelector(selector, place.child("nodeSelector"));
  }
  if (allNodes) given.push("`allNodes`");
  else if (allNodes !== undefined) {
    place.child("allNodes").invalid(allNodes, "must be either unset or set to true");
  }
  if (given.length === 0) place.required(ONE_PLACE);
  else if (given.length > 1) place.invalid(`{${given.join(", ")}}`, ONE_PLACE);
}
