import type { Random } from "@homeostat/concurrency";
import { ApiError, ownKey } from "@homeostat/object-model";
import type {
  Container,
  EphemeralContainer,
  Pod,
  PodSpec,
  ServiceAccount as ServiceAccountObject,
  Volume,
} from "@homeostat/object-model/core-v1";
import { generateName } from "../registry/system-metadata.ts";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjects } from "./known-objects.ts";
import { namesSecrets } from "./pod-secrets.ts";
import { forbidden } from "./refusal.ts";

const DEFAULT_ACCOUNT = "default";
const MIRROR = "kubernetes.io/config.mirror";
const ENFORCE_SECRETS = "kubernetes.io/enforce-mountable-secrets";
const VOLUME_PREFIX = "kube-api-access-";
const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
/** Of the token that a pod is given: an hour, and as long again to notice. */
const TOKEN_SECONDS = 3607;

/**
 * Every pod runs as a service account that exists, with a token of it in its containers.
 *
 * kube-apiserver waits for a controller to make the account `default` of each namespace. Where nobody
 * does, in a plane without controllers, pods that name no other account are taken as they are: else
 * nobody could have any.
 */
export class ServiceAccount implements AdmissionPlugin {
  readonly name = "ServiceAccount";
  readonly resources: readonly string[] = ["pods"];
  readonly #accounts: KnownObjects<ServiceAccountObject>;
  readonly #random: Random;

  constructor(accounts: KnownObjects<ServiceAccountObject>, random: Random) {
    this.#accounts = accounts;
    this.#random = random;
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void {
    if (change.operation !== "CREATE" || request.subresource !== "") return;
    const pod = change.object as Pod;
    const spec = (pod.spec ??= { containers: [] });
    if (this.#isWithoutAccount(pod, request)) return;
    if (!isMirror(pod)) {
      if (!spec.serviceAccountName) spec.serviceAccountName = DEFAULT_ACCOUNT;
      const account = this.#accountOf(spec, { change, request });
      if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) {
        this.#mountToken(spec);
      }
      const { imagePullSecrets: secrets = [] } = account;
      if ((spec.imagePullSecrets ?? []).length === 0 && secrets.length > 0) {
        spec.imagePullSecrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
      }
    }
    this.validate(change, request);
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    const { operation } = change;
    const { subresource } = request;
    const isNew = operation === "CREATE" && subresource === "";
    const isDebugged = operation === "UPDATE" && subresource === "ephemeralcontainers";
    if (!isNew && !isDebugged) return;
    const pod = change.object as Pod;
    const { spec = { containers: [] } } = pod;
    const refuse = (why: string): ApiError => forbidden(change, request, why);
    if (isNew && isMirror(pod)) return checkMirror(spec, refuse);
    if (this.#isWithoutAccount(pod, request)) return;
    if (!spec.serviceAccountName) {
      const where = `${request.namespace}/${pod.metadata?.name ?? ""}`;
      throw refuse(`no service account specified for pod ${where}`);
    }
    const account = this.#accountOf(spec, { change, request });
    if (!enforcesSecrets(account)) return;
    const problem = secretProblem(spec, account, { debugging: isDebugged });
    if (problem === undefined) return;
    // kube-apiserver does not say forbidden there.
    throw isDebugged ? new ApiError({ message: problem, httpStatus: 500 }) : refuse(problem);
  }

  #isWithoutAccount(pod: Pod, { namespace }: AdmissionRequest): boolean {
    const name = pod.spec?.serviceAccountName || DEFAULT_ACCOUNT;
    if (name !== DEFAULT_ACCOUNT || isMirror(pod)) return false;
    return [namespace, "default", "kube-system"].every(
      (each) => this.#accounts.get(DEFAULT_ACCOUNT, each) === undefined,
    );
  }

  #accountOf(
    { serviceAccountName: name = "" }: PodSpec,
    of: { readonly change: Readonly<AdmittedChange>; readonly request: AdmissionRequest },
  ): Readonly<ServiceAccountObject> {
    const { namespace } = of.request;
    const found = this.#accounts.get(name, namespace);
    if (found !== undefined) return found;
    const missing = ApiError.notFound({ group: "", resource: "serviceaccount" }, name).message;
    const why = `error looking up service account ${namespace}/${name}: ${missing}`;
    throw forbidden(of.change, of.request, why);
  }

  #mountToken(spec: PodSpec): void {
    const present = spec.volumes?.find(({ name }) => name.startsWith(VOLUME_PREFIX));
    const needing = [...(spec.initContainers ?? []), ...spec.containers].filter(
      ({ volumeMounts = [] }) => volumeMounts.every(({ mountPath }) => mountPath !== MOUNT_PATH),
    );
    const name = present?.name ?? generateName(VOLUME_PREFIX, this.#random);
    for (const container of needing) {
      const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
      container.volumeMounts = [...(container.volumeMounts ?? []), mount];
    }
    if (present === undefined && needing.length > 0) {
      spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
    }
  }
}

function isMirror({ metadata }: Pod): boolean {
  return ownKey(metadata?.annotations, MIRROR) !== undefined;
}

/** What a kubelet shows of its own pods may not be more than it knew. */
function checkMirror(spec: PodSpec, refuse: (why: string) => ApiError): void {
  if (spec.serviceAccountName) throw refuse("a mirror pod may not reference service accounts");
  if (namesSecrets(spec)) throw refuse("a mirror pod may not reference secrets");
  const projects = (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
  );
  if (projects) throw refuse("a mirror pod may not use ServiceAccountToken volume projections");
}

const TRUE = new Set(["1", "t", "T", "TRUE", "true", "True"]);

function enforcesSecrets({ metadata }: Readonly<ServiceAccountObject>): boolean {
  return TRUE.has(ownKey(metadata?.annotations, ENFORCE_SECRETS) ?? "");
}

/** The first secret that a pod names and its account does not. */
function secretProblem(
  spec: PodSpec,
  account: Readonly<ServiceAccountObject>,
  { debugging }: { readonly debugging: boolean },
): string | undefined {
  const owner = account.metadata?.name ?? "";
  const known = new Set((account.secrets ?? []).map(({ name }) => name));
  const because = `is not allowed because service account ${owner} does not reference that secret`;
  const ofContainers = (what: string, list: readonly AnyContainer[] = []): string | undefined => {
    for (const { name, env = [], envFrom = [] } of list) {
      for (const { name: variable, valueFrom } of env) {
        const secret = valueFrom?.secretKeyRef;
        if (secret === undefined || known.has(secret.name)) continue;
        return `${what} ${name} with envVar ${variable} referencing secret.secretName="${secret.name ?? ""}" ${because}`;
      }
      for (const { secretRef } of envFrom) {
        if (secretRef === undefined || known.has(secretRef.name)) continue;
        return `${what} ${name} with envFrom referencing secret.secretName="${secretRef.name ?? ""}" ${because}`;
      }
    }
    return undefined;
  };
  if (debugging) return ofContainers("ephemeral container", spec.ephemeralContainers);
  for (const { secret } of spec.volumes ?? []) {
    if (secret === undefined || known.has(secret.secretName)) continue;
    return `volume with secret.secretName="${secret.secretName ?? ""}" ${because}`;
  }
  const problem =
    ofContainers("init container", spec.initContainers) ??
    ofContainers("container", spec.containers);
  if (problem !== undefined) return problem;
  const pulled = new Set((account.imagePullSecrets ?? []).map(({ name }) => name));
  for (const [at, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    if (pulled.has(name)) continue;
    return `imagePullSecrets[${at}].name="${name ?? ""}" is not allowed because service account ${owner} does not reference that imagePullSecret`;
  }
  return undefined;
}

type AnyContainer = Container | EphemeralContainer;

/** What containers find at the well-known path. */
function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [
              {
                path: "namespace",
                fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
              },
            ],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}
