/** Sources that are reached over a network and name no secret of a namespace. */
import { checkDns1123Label } from "@homeostat/object-model";
import type {
  CephFSVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GlusterfsPersistentVolumeSource,
  GlusterfsVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
} from "@homeostat/object-model/core-v1";
import { all, fields, ifPresent, inRange, type Rule, required } from "@homeostat/schema";
import { isHostPort } from "../checks/host-ports.ts";

export const lunNumber: Rule<number> = inRange(0, 255);

const absolutePath: Rule<string> = (path = "", place) => {
  if (!path.startsWith("/")) place.invalid(path, "must be an absolute path");
};

export const nfs: Rule<NFSVolumeSource> = fields<NFSVolumeSource>({
  server: required,
  path: [required, absolutePath],
});

export const glusterfs: Rule<GlusterfsVolumeSource> = fields<GlusterfsVolumeSource>({
  endpoints: required,
  path: required,
});

const endpointsNamespace: Rule<string> = (namespace = "", place) => {
  if (namespace === "") {
    const why = "if the endpointnamespace is set, it must be a valid namespace name";
    return place.invalid(namespace, why);
  }
  for (const problem of checkDns1123Label(namespace)) place.invalid(namespace, problem);
};

export const persistentGlusterfs: Rule<GlusterfsPersistentVolumeSource> = all(
  glusterfs,
  fields<GlusterfsPersistentVolumeSource>({ endpointsNamespace: ifPresent(endpointsNamespace) }),
);

/** For persistent volumes too: what differs is not checked. */
export const rbd: Rule<Pick<RBDVolumeSource, "image" | "monitors">> = fields({
  monitors: required,
  image: required,
});

export const cephfs: Rule<Pick<CephFSVolumeSource, "monitors">> = fields({ monitors: required });

export const flocker: Rule<FlockerVolumeSource> = (source, place) => {
  const { datasetName = "", datasetUUID = "" } = source ?? {};
  if (datasetName === "" && datasetUUID === "") {
    place.required("one of datasetName and datasetUUID is required");
  }
  if (datasetName !== "" && datasetUUID !== "") {
    place.invalid("resource", "datasetName and datasetUUID can not be specified simultaneously");
  }
  if (datasetName.includes("/")) {
    place.child("datasetName").invalid(datasetName, "must not contain '/'");
  }
};

const REGISTRY = "must be a host:port pair or multiple pairs separated by commas";
const TENANT_BYTES = 64;

export const quobyte: Rule<QuobyteVolumeSource> = (source, place) => {
  const { registry = "", tenant = "", volume = "" } = source ?? {};
  if (registry === "") place.child("registry").required(REGISTRY);
  else if (Buffer.byteLength(tenant) > TENANT_BYTES) {
    const why = "must be a UUID and may not exceed a length of 64 characters";
    place.child("tenant").required(why);
  } else {
    for (const pair of registry.split(",")) {
      if (!isHostPort(pair)) place.child("registry").invalid(registry, REGISTRY);
    }
  }
  required(volume, place.child("volume"));
};

export const fibreChannel: Rule<FCVolumeSource> = (source, place) => {
  const { targetWWNs = [], wwids = [], lun } = source ?? {};
  const names = place.child("targetWWNs");
  if (targetWWNs.length === 0) {
    if (wwids.length === 0) names.required("must specify either targetWWNs or wwids, but not both");
    return;
  }
  if (wwids.length > 0) {
    names.invalid(targetWWNs, "targetWWNs and wwids can not be specified simultaneously");
  }
  if (lun === undefined) place.child("lun").required("lun is required if targetWWNs is specified");
  else lunNumber(lun, place.child("lun"));
};
