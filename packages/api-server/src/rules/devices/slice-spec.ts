/** The devices of a pool that a driver offers, or a part of them. */
import type {
  ResourcePool,
  ResourceSlice,
  ResourceSliceSpec,
} from "@homeostat/object-model/resource-v1";
import {
  type ChangeRule,
  dns1123Subdomain,
  fields,
  type Place,
  type Rule,
} from "@homeostat/schema";
import { internalList } from "../../resources/internal-form.ts";
import { distinctUpTo } from "../checks/bounded-lists.ts";
import { immutableValue } from "../checks/immutable-parts.ts";
import { nodeSelector } from "../node-selector.ts";
import { counterSets } from "./device-counters.ts";
import { driverName, poolName } from "./device-names.ts";
import { device } from "./devices.ts";

const MAX_DEVICES = 128;
/** Where there are devices that take more room. */
const MAX_LARGE_DEVICES = 64;
const ONE_PLACE =
  "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

const pool = fields<ResourcePool>({
  name: poolName,
  resourceSliceCount: (count = 0, place) => {
    if (count <= 0) place.invalid(count, "must be greater than zero");
  },
  generation: (generation = 0, place) => {
    if (generation < 0) place.invalid(generation, "must be greater than or equal to zero");
  },
});

const strictNodeSelector = nodeSelector();

function checkNodeName(name: string | undefined, place: Place, given: string[]): void {
  if (name === undefined) return;
  if (name === "") return place.invalid(name, "must be either unset or set to a non-empty string");
  given.push("`nodeName`");
  dns1123Subdomain(name, place);
}

function checkFlag(
  name: "allNodes" | "perDeviceNodeSelection",
  value: boolean | undefined,
  { place, given }: { readonly place: Place; readonly given: string[] },
): void {
  if (value) given.push(`\`${name}\``);
  else if (value !== undefined) {
    place.child(name).invalid(value, "must be either unset or set to true");
  }
}

function checkPlaces(spec: Partial<ResourceSliceSpec>, place: Place): void {
  const given: string[] = [];
  checkNodeName(spec.nodeName, place.child("nodeName"), given);
  if (spec.nodeSelector !== undefined) {
    given.push("`nodeSelector`");
    const at = place.child("nodeSelector");
    strictNodeSelector(spec.nodeSelector, at);
    const terms = spec.nodeSelector.nodeSelectorTerms;
    if (terms?.length !== 1) {
      const shown = internalList("NodeSelectorTerm", terms);
      at.child("nodeSelectorTerms").invalid(shown, "must have exactly one node selector term");
    }
  }
  checkFlag("allNodes", spec.allNodes, { place, given });
  checkFlag("perDeviceNodeSelection", spec.perDeviceNodeSelection, { place, given });
  if (given.length === 0) place.required(ONE_PLACE);
  else if (given.length > 1) {
    place.invalid(`{${given.join(", ")}}`, `${ONE_PLACE}, but multiple fields are set`);
  }
}

export const sliceChange: ChangeRule<ResourceSlice> = ({ value, old }, root) => {
  const place = root.child("spec");
  const spec: Partial<ResourceSliceSpec> = value?.spec ?? {};
  driverName(spec.driver, place.child("driver"));
  pool(spec.pool, place.child("pool"));
  const before = old?.spec;
  if (old !== undefined) {
    const poolChange = { value: spec.pool?.name ?? "", old: before?.pool?.name ?? "" };
    immutableValue(poolChange, place.child("pool").child("name"));
    const driverChange = { value: spec.driver ?? "", old: before?.driver ?? "" };
    immutableValue(driverChange, place.child("driver"));
    immutableValue({ value: spec.nodeName, old: before?.nodeName }, place.child("nodeName"));
  }
  checkPlaces(spec, place);
  if (spec.sharedCounters !== undefined && spec.devices !== undefined) {
    place.invalid("", "only one of `sharedCounters` or `devices` is allowed");
  }
  const isLarge = (spec.devices ?? []).some(
    (each) => (each?.taints ?? []).length > 0 || (each?.consumesCounters ?? []).length > 0,
  );
  const hasPlaces = spec.perDeviceNodeSelection === true;
  distinctUpTo<NonNullable<ResourceSliceSpec["devices"]>[number]>({
    max: isLarge ? MAX_LARGE_DEVICES : MAX_DEVICES,
    rule: (each, at) => {
      const oldDevice = before?.devices?.find(({ name }) => name === each?.name);
      device({ hasPlaces, old: oldDevice })(each, at);
    },
    keyOf: (each) => each?.name ?? "",
  })(spec.devices, place.child("devices"));
  counterSets(spec.sharedCounters, place.child("sharedCounters"));
};

export const resourceSlice: Rule<ResourceSlice> = (value, place) =>
  sliceChange({ value, old: undefined }, place);
