/** Which devices are asked for. */
import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
} from "@homeostat/object-model/resource-v1";
import { dns1123Label, dns1123Subdomain, each, fields, type Rule } from "@homeostat/schema";
import { distinctUpTo, upTo } from "../checks/bounded-lists.ts";
import { requiredThen } from "../checks/required-then.ts";
import { deviceConfiguration } from "./device-configuration.ts";
import { fullyQualifiedDeviceName } from "./device-names.ts";
import { deviceSelectors } from "./device-selectors.ts";
import { deviceToleration } from "./device-taints.ts";
import {
  MAX_REQUESTS,
  type RequestNames,
  requestNamesOf,
  requestReferences,
} from "./request-names.ts";

const MAX_ALTERNATIVES = 8;
const MAX_CONSTRAINTS = 32;
export const MAX_CONFIGURATIONS = 32;
const ALLOCATION_MODES = ["All", "ExactCount"];
const ONE_FORM = "exactly one of `exactly` or `firstAvailable` is required";

const allocationMode: Rule<ExactDeviceRequest> = (request, place) => {
  const { allocationMode: mode = "", count = 0 } = request ?? {};
  const at = place.child("count");
  if (mode === "All") {
    if (count !== 0) at.invalid(count, "must not be specified when allocationMode is 'All'");
  } else if (mode === "ExactCount") {
    if (count <= 0) at.invalid(count, "must be greater than zero");
  } else place.child("allocationMode").notSupported(mode, ALLOCATION_MODES);
};

const classAndSelectors = fields<ExactDeviceRequest>({
  deviceClassName: requiredThen(dns1123Subdomain),
  selectors: deviceSelectors,
});
const tolerations = each(deviceToleration);

const exactRequest: Rule<ExactDeviceRequest> = (request, place) => {
  classAndSelectors(request, place);
  allocationMode(request, place);
  tolerations(request?.tolerations, place.child("tolerations"));
};

const alternative: Rule<DeviceSubRequest> = (request, place) => {
  dns1123Label(request?.name, place.child("name"));
  exactRequest(request, place);
};

const alternatives = distinctUpTo({
  max: MAX_ALTERNATIVES,
  rule: alternative,
  keyOf: (request) => request?.name ?? "",
});

const request: Rule<DeviceRequest> = (value, place) => {
  dns1123Label(value?.name, place.child("name"));
  const exactly = value?.exactly;
  const firstAvailable = value?.firstAvailable ?? [];
  if (exactly !== undefined && firstAvailable.length > 0) {
    place.invalid(null, `${ONE_FORM}, but multiple fields are set`);
  } else if (exactly !== undefined) exactRequest(exactly, place.child("exactly"));
  else if (firstAvailable.length > 0) alternatives(firstAvailable, place.child("firstAvailable"));
  else place.required(ONE_FORM);
};

const requests = distinctUpTo({
  max: MAX_REQUESTS,
  rule: request,
  keyOf: (value) => value?.name ?? "",
});

function constraint(names: RequestNames): Rule<DeviceConstraint> {
  const references = requestReferences(names);
  return (value, place) => {
    references(value?.requests, place.child("requests"));
    if (value?.matchAttribute !== undefined) {
      fullyQualifiedDeviceName(value.matchAttribute, place.child("matchAttribute"));
    } else if (value?.distinctAttribute !== undefined) {
      fullyQualifiedDeviceName(value.distinctAttribute, place.child("distinctAttribute"));
    } else {
      const why =
        'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
      place.required(why);
    }
  };
}

const newConfiguration = deviceConfiguration();

function configuration(names: RequestNames): Rule<DeviceClaimConfiguration> {
  const references = requestReferences(names);
  return (value, place) => {
    references(value?.requests, place.child("requests"));
    newConfiguration(value, place);
  };
}

export const deviceClaim: Rule<DeviceClaim> = (claim, place) => {
  const names = requestNamesOf(claim);
  requests(claim?.requests, place.child("requests"));
  upTo(MAX_CONSTRAINTS, constraint(names))(claim?.constraints, place.child("constraints"));
  upTo(MAX_CONFIGURATIONS, configuration(names))(claim?.config, place.child("config"));
};
