/** Endpoints, the older form of endpoint slices. */
import { checkDns1123Subdomain } from "@homeostat/object-model";
import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
} from "@homeostat/object-model/core-v1";
import {
  all,
  dns1123Label,
  each,
  fields,
  ifPresent,
  ifSet,
  Place,
  qualifiedName,
  type Rule,
  textIs,
} from "@homeostat/schema";
import { sameForm } from "../resources/internal-form.ts";
import { endpointIp } from "./checks/endpoint-ips.ts";
import { legacyIp } from "./checks/ip-addresses.ts";
import { portNumber, protocol } from "./checks/ports.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const endpointsRules: readonly NamedTypeRules[] = [
  rulesFor<Endpoints>("core.v1.Endpoints", {
    validate: (endpoints, place) => subsets(endpoints?.subsets, place.child("subsets")),
    validateChange({ value, old }, place) {
      // What older rules let in may stay as it is.
      const found = Place.root(place.context, place.child("subsets").path);
      subsets(value?.subsets, found);
      if (found.errors.length > 0 && !sameForm(value?.subsets ?? null, old?.subsets ?? null)) {
        place.add(...found.errors);
      }
    },
  }),
];

const address = all<EndpointAddress>(
  fields<EndpointAddress>({
    ip: legacyIp,
    hostname: ifSet(dns1123Label),
    nodeName: ifPresent(textIs(checkDns1123Subdomain)),
  }),
  fields<EndpointAddress>({ ip: endpointIp }),
);

function port(isNamed: boolean): Rule<EndpointPort> {
  return fields<EndpointPort>({
    name: (name = "", place) => {
      if (name !== "") dns1123Label(name, place);
      else if (isNamed) place.required();
    },
    port: portNumber,
    protocol,
    appProtocol: ifPresent(qualifiedName),
  });
}

const subset: Rule<EndpointSubset> = (value, place) => {
  const { addresses = [], notReadyAddresses = [], ports = [] } = value ?? {};
  if (addresses.length === 0 && notReadyAddresses.length === 0) {
    place.required("must specify `addresses` or `notReadyAddresses`");
  }
  each(address)(addresses, place.child("addresses"));
  each(address)(notReadyAddresses, place.child("notReadyAddresses"));
  each(port(ports.length > 1))(ports, place.child("ports"));
};

const subsets: Rule<readonly EndpointSubset[]> = each(subset);
