import { ownKey } from "@homeostat/object-model";
import type { Ingress, IngressClass } from "@homeostat/object-model/networking-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import { defaultClass } from "./default-class.ts";
import type { KnownObjects } from "./known-objects.ts";

const MARKS = ["ingressclass.kubernetes.io/is-default-class"];
/** An older way to name the class. */
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

/** An ingress that names no class gets the default one, where there is one. */
export class DefaultIngressClass implements AdmissionPlugin {
  readonly name = "DefaultIngressClass";
  readonly resources: readonly string[] = ["ingresses.networking.k8s.io"];
  readonly #classes: KnownObjects<IngressClass>;

  constructor(classes: KnownObjects<IngressClass>) {
    this.#classes = classes;
  }

  mutate({ operation, object }: AdmittedChange, { subresource }: AdmissionRequest): void {
    if (operation !== "CREATE" || subresource !== "") return;
    const ingress = object as Ingress;
    if (ingress.spec?.ingressClassName !== undefined) return;
    if (ownKey(ingress.metadata?.annotations, CLASS_ANNOTATION) !== undefined) return;
    const found = defaultClass(this.#classes.list(), MARKS)?.metadata?.name;
    if (found !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: found };
  }
}
