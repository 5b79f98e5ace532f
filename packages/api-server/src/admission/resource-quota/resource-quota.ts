import {
  ApiError,
  compareBytewise,
  type GroupResource,
  type KubernetesObject,
} from "@homeostat/object-model";
import type { ResourceQuota as ResourceQuotaObject } from "@homeostat/object-model/core-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "../admission.ts";
import type { KnownObjects } from "../known-objects.ts";
import { forbidden } from "../refusal.ts";
import { type Charged, charge } from "./charge.ts";
import { claimMeter, serviceMeter } from "./claim-and-service-meters.ts";
import { podMeter } from "./pod-meter.ts";
import { countMeter, type QuotaMeter } from "./quota-meter.ts";

/** Changes the status of a quota as it is now; tried again when somebody else wrote meanwhile. */
export type QuotaWriter = (
  place: { readonly name: string; readonly namespace: string },
  change: (current: KubernetesObject) => KubernetesObject,
) => Promise<unknown>;

export interface ResourceQuotaOptions {
  readonly quotas: KnownObjects<ResourceQuotaObject>;
  readonly write: QuotaWriter;
  /** Of claims for devices. */
  readonly deviceClaims: QuotaMeter;
  /** Wall time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Refuses what a quota of the namespace has no room for, and takes the room of what it has. */
export class ResourceQuota implements AdmissionPlugin {
  readonly name = "ResourceQuota";
  readonly #options: ResourceQuotaOptions;
  readonly #meters = new Map<string, QuotaMeter | undefined>();

  constructor(options: ResourceQuotaOptions) {
    this.#options = options;
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): Promise<void> | undefined {
    const { namespace } = request;
    if (namespace === "" || change.object === undefined) return undefined;
    const quotas = [...this.#options.quotas.list(namespace)];
    if (quotas.length === 0) return undefined;
    const meter = this.#meterOf(request.served.stored.groupResource);
    if (meter?.handles(change, request) !== true) return undefined;
    const charged: Charged = {
      meter,
      object: change.object,
      old: change.operation === "UPDATE" ? change.old : undefined,
      subresource: request.subresource,
      now: this.#options.now(),
      refuse: (why) => forbidden(change, request, why),
    };
    return this.#take(quotas, charged, request);
  }

  /** All have room before any is written: nothing is taken for what is refused. */
  async #take(
    quotas: readonly Readonly<ResourceQuotaObject>[],
    charged: Charged,
    { namespace, dryRun }: AdmissionRequest,
  ): Promise<void> {
    const concerned = quotas
      .toSorted((a, b) => compareBytewise(a.metadata?.name ?? "", b.metadata?.name ?? ""))
      .filter((quota) => charge(quota, charged) !== undefined);
    if (dryRun) return;
    for (const { metadata } of concerned) {
      const place = { name: metadata?.name ?? "", namespace };
      try {
        await this.#options.write(place, (current) => {
          const used = charge(current as ResourceQuotaObject, charged);
          const { status } = current as ResourceQuotaObject;
          if (used === undefined) return current;
          return { ...current, status: { ...status, used } } as KubernetesObject;
        });
      } catch (error) {
        // Somebody lifted the limit meanwhile.
        if (!ApiError.is(error, "NotFound")) throw error;
      }
    }
  }

  #meterOf(groupResource: GroupResource): QuotaMeter | undefined {
    const { group, resource } = groupResource;
    const name = group === "" ? resource : `${resource}.${group}`;
    if (!this.#meters.has(name)) {
      this.#meters.set(
        name,
        IGNORED.has(name) ? undefined : (this.#ownMeter(name) ?? countMeter(groupResource)),
      );
    }
    return this.#meters.get(name);
  }

  #ownMeter(name: string): QuotaMeter | undefined {
    return name === DEVICE_CLAIMS ? this.#options.deviceClaims : METERS.get(name);
  }
}

const DEVICE_CLAIMS = "resourceclaims.resource.k8s.io";

const METERS: ReadonlyMap<string, QuotaMeter> = new Map([
  ["pods", podMeter],
  ["persistentvolumeclaims", claimMeter],
  ["services", serviceMeter],
]);

/** What is not kept, and events. */
const IGNORED = new Set([
  "bindings",
  "componentstatuses",
  "events",
  "events.events.k8s.io",
  "tokenreviews.authentication.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
]);
