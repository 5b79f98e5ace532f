/** What CSI drivers say of themselves, of the nodes they run on, and of the room they have. */
import type {
  CSIDriver,
  CSIDriverSpec,
  CSINode,
  CSINodeDriver,
  CSIStorageCapacity,
  TokenRequest,
  VolumeNodeResources,
} from "@homeostat/object-model/storage-v1";
import {
  dns1123Subdomain,
  fields,
  ifPresent,
  nonNegative,
  type Place,
  qualifiedName,
  type Rule,
  required,
} from "@homeostat/schema";
import { optionalChoice } from "./checks/choices.ts";
import { csiDriverName } from "./checks/csi-driver-names.ts";
import {
  hasInvalidLabelValue,
  labelSelector,
  labelSelectorOfAnyValues,
} from "./checks/label-selectors.ts";
import { nonNegativeQuantity } from "./checks/quantities.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const LIFECYCLE_MODES = ["Persistent", "Ephemeral"];
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;
const MIN_UPDATE_SECONDS = 10;

const present: Rule<unknown> = (value, place) => {
  if (value === undefined) place.required();
};

/** One token for each audience. */
const tokenRequests: Rule<readonly TokenRequest[]> = (requests = [], place) => {
  const audiences = new Set<string>();
  for (const [index, request] of requests.entries()) {
    const audience = request?.audience ?? "";
    const seconds = request?.expirationSeconds;
    const at = place.index(index);
    if (audiences.has(audience)) {
      at.child("audience").duplicate(audience);
      continue;
    }
    audiences.add(audience);
    if (seconds === undefined) continue;
    const why = tokenSecondsProblem(seconds);
    if (why !== undefined) at.child("expirationSeconds").invalid(seconds, why);
  }
};

function tokenSecondsProblem(seconds: number): string | undefined {
  if (seconds < MIN_TOKEN_SECONDS) return "may not specify a duration less than 10 minutes";
  if (seconds > MAX_TOKEN_SECONDS) return "may not specify a duration larger than 2^32 seconds";
  return undefined;
}

const driverSpec: Rule<CSIDriverSpec> = (spec, place) => {
  // The path is misspelt in Kubernetes.
  present(spec?.attachRequired, place.child("attachedRequired"));
  driverFields(spec, place);
  const inSecrets = spec?.serviceAccountTokenInSecrets;
  if (inSecrets !== undefined && (spec?.tokenRequests ?? []).length === 0) {
    const why = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    place.child("serviceAccountTokenInSecrets").invalid(inSecrets, why);
  }
};

const driverFields = fields<CSIDriverSpec>({
  podInfoOnMount: present,
  storageCapacity: present,
  fsGroupPolicy: optionalChoice("File", "None", "ReadWriteOnceWithFSType"),
  tokenRequests,
  volumeLifecycleModes: (modes, place) => {
    for (const mode of modes ?? []) {
      if (!LIFECYCLE_MODES.includes(mode)) place.notSupported(mode, LIFECYCLE_MODES);
    }
  },
  seLinuxMount: present,
  nodeAllocatableUpdatePeriodSeconds: (seconds, place) => {
    if (seconds === undefined || seconds >= MIN_UPDATE_SECONDS) return;
    place.invalid(seconds, "must be greater than or equal to 10 seconds");
  },
});

const MAX_NODE_ID_BYTES = 256;

const nodeId: Rule<string> = (id = "", place) => {
  required(id, place);
  if (Buffer.byteLength(id) <= MAX_NODE_ID_BYTES) return;
  place.invalid(id, `must be ${MAX_NODE_ID_BYTES} characters or less`);
};

const driverOfNode = fields<CSINodeDriver>({
  name: csiDriverName,
  nodeID: nodeId,
  allocatable: fields<VolumeNodeResources>({ count: ifPresent(nonNegative) }),
});

/** Topology keys are told of at the driver. */
function checkTopologyKeys(keys: readonly string[], place: Place): void {
  const seen = new Set<string>();
  for (const key of keys) {
    required(key, place);
    if (seen.has(key)) place.duplicate(key);
    seen.add(key);
    qualifiedName(key, place);
  }
}

const csiNode: Rule<CSINode> = (node, place) => {
  const names = new Set<string>();
  for (const [index, driver] of (node?.spec?.drivers ?? []).entries()) {
    const at = place.child("spec").child("drivers").index(index);
    const name = driver?.name ?? "";
    driverOfNode(driver, at);
    if (names.has(name)) at.child("name").duplicate(name);
    names.add(name);
    checkTopologyKeys(driver?.topologyKeys ?? [], at);
  }
};

function storageCapacity(anyLabelValues: boolean): Rule<CSIStorageCapacity> {
  return fields<CSIStorageCapacity>({
    nodeTopology: anyLabelValues ? labelSelectorOfAnyValues : labelSelector,
    storageClassName: dns1123Subdomain,
    capacity: ifPresent(nonNegativeQuantity),
  });
}

const driver: Rule<CSIDriver> = (value, place) => driverSpec(value?.spec, place.child("spec"));

export const csiRules: readonly NamedTypeRules[] = [
  rulesFor<CSIDriver>("storage.v1.CSIDriver", {
    validate: driver,
    validateChange: ({ value }, place) => driver(value, place),
  }),
  rulesFor<CSIDriverSpec>("storage.v1.CSIDriverSpec", {
    defaults: {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
      seLinuxMount: false,
    },
  }),
  rulesFor<CSINode>("storage.v1.CSINode", {
    validate: csiNode,
    validateChange: ({ value }, place) => csiNode(value, place),
  }),
  rulesFor<CSIStorageCapacity>("storage.v1.CSIStorageCapacity", {
    validate: storageCapacity(false),
    validateChange: ({ value, old }, place) =>
      storageCapacity(hasInvalidLabelValue(old?.nodeTopology))(value, place),
  }),
];
