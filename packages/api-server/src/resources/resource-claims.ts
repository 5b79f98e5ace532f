/** The kinds of the resource group (devices): claims and their templates are fixed once made. */

import {
  checkDns1123Subdomain,
  checkPathSegmentPrefix,
  FieldError,
  FieldPath,
} from "@homeostat/object-model";
import type {
  DeviceClass,
  DeviceRequest,
  ResourceClaim,
  ResourceClaimStatus,
  ResourceClaimTemplate,
  ResourceSlice,
} from "@homeostat/object-model/resource-v1";
import type { Strategy, SubresourceStrategy, WriteContext } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { claimStatusChange } from "../rules/devices/claim-status.ts";
import { templateAgain } from "../rules/resource-claim.ts";
import { keepMetadata, keepSpec } from "./status-updates.ts";

export const deviceClasses: Strategy<DeviceClass> = {
  generation: true,
  checkName: (name, { prefix }) =>
    prefix
      ? checkPathSegmentPrefix(name)
      : checkDns1123Subdomain(name).map((problem) => problem.replace(/ characters$/, " bytes")),
};

const ADMIN_LABEL = "resource.kubernetes.io/admin-access";

/** Devices that others use already are given only in namespaces that are marked for it. */
function checkAdminAccess(
  { namespace = "", path }: { readonly namespace?: string | undefined; readonly path: FieldPath },
  asked: readonly (boolean | undefined)[],
  { reader }: WriteContext,
): FieldError[] {
  const index = asked.indexOf(true);
  if (index === -1) return [];
  const labels = reader.get({ group: "", resource: "namespaces" }, namespace)?.metadata?.labels;
  if (
    labels !== undefined &&
    Object.hasOwn(labels, ADMIN_LABEL) &&
    labels[ADMIN_LABEL] === "true"
  ) {
    return [];
  }
  const why = `admin access to devices requires the \`${ADMIN_LABEL}: true\` label on the containing namespace`;
  return [FieldError.forbidden(path.index(index).child("adminAccess"), why)];
}

const REQUESTS = FieldPath.of("spec", "devices", "requests");
const RESULTS = FieldPath.of("status", "allocation", "devices", "results");

function adminAccessOf(requests: readonly DeviceRequest[] | undefined): (boolean | undefined)[] {
  return (requests ?? []).map((request) => request?.exactly?.adminAccess);
}

const checkStatus = changeCheckOf(claimStatusChange);

/** What was given before stays given. */
function checkNewAdminAccess(
  claim: Readonly<ResourceClaim>,
  old: Readonly<ResourceClaim>,
  context: WriteContext,
): FieldError[] {
  const [given, before] = [claim, old].map(({ status }) =>
    (status?.allocation?.devices?.results ?? []).map((result) => result?.adminAccess),
  );
  if (before?.includes(true)) return [];
  const place = { namespace: claim.metadata?.namespace, path: RESULTS };
  return checkAdminAccess(place, given ?? [], context);
}

const claimStatus: SubresourceStrategy<ResourceClaim> = {
  prepareForUpdate(claim, old) {
    keepSpec(claim, old);
    keepMetadata(claim, old);
    dropReleasedDevices(claim.status, old.status);
  },
  validateUpdate: (claim, old, context) => [
    ...checkNewAdminAccess(claim, old, context),
    ...checkStatus(claim, old, context),
  ],
};

export const resourceClaims: Strategy<ResourceClaim> = {
  validate: ({ metadata, spec }, context) => {
    const place = { namespace: metadata?.namespace, path: REQUESTS };
    return checkAdminAccess(place, adminAccessOf(spec?.devices?.requests), context);
  },
  subresources: { status: claimStatus },
};

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

export const resourceClaimTemplates: Strategy<ResourceClaimTemplate> = {
  /** The path is that of a claim. */
  validate: ({ metadata, spec }, context) => {
    const place = { namespace: metadata?.namespace, path: REQUESTS };
    return checkAdminAccess(place, adminAccessOf(spec?.spec?.devices?.requests), context);
  },
  revalidate: changeCheckOf(templateAgain),
};

/** What belongs to features that are off: mappings to what nodes have, and lists as attributes. */
function dropGatedFields({ spec }: ResourceSlice): void {
  for (const device of spec?.devices ?? []) {
    delete device.nodeAllocatableResourceMappings;
    for (const attribute of Object.values(device.attributes ?? {})) {
      delete attribute.bools;
      delete attribute.ints;
      delete attribute.strings;
      delete attribute.versions;
    }
  }
}

export const resourceSlices: Strategy<ResourceSlice> = {
  generation: true,
  prepareForCreate: dropGatedFields,
  prepareForUpdate: dropGatedFields,
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
