/** Ingresses. They have no defaults. */
import { annotationOf } from "@homeostat/object-model";
import type { TypedLocalObjectReference } from "@homeostat/object-model/core-v1";
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressLoadBalancerIngress,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
} from "@homeostat/object-model/networking-v1";
import {
  all,
  type ChangeRule,
  dns1123Label,
  dns1123Subdomain,
  each,
  fields,
  ifPresent,
  ifSet,
  type Rule,
} from "@homeostat/schema";
import { hostName, isWildcard, notAnIp } from "./checks/host-names.ts";
import { legacyIp } from "./checks/ip-addresses.ts";
import { isRefused } from "./checks/is-refused.ts";
import { pathSegment } from "./checks/path-segments.ts";
import { portName, portNumber } from "./checks/ports.ts";
import { requiredThen } from "./checks/required-then.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

export const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

export const ingressRules: readonly NamedTypeRules[] = [
  rulesFor<Ingress>("networking.v1.Ingress", {
    validate(ingress, place) {
      ingressSpec({})(ingress?.spec, place.child("spec"));
      classNamedAlike(ingress, place);
    },
    validateChange({ value, old }, place) {
      const tolerance = {
        secretNames: (old?.spec?.tls ?? []).some((tls) => isRefused(secretName, tls)),
        wildcardRules: (old?.spec?.rules ?? []).some(
          (rule) => isWildcard(rule.host) && isRefused(paths, rule),
        ),
      };
      ingressSpec(tolerance)(value?.spec, place.child("spec"));
    },
  }),
];

/** What older rules let in and an update may therefore keep. */
interface Tolerance {
  readonly secretNames?: boolean;
  readonly wildcardRules?: boolean;
}

/** Only on create: an update may leave them different. */
const classNamedAlike: Rule<Ingress, RuleContext> = (ingress, place) => {
  const annotated = ingress && annotationOf(ingress, CLASS_ANNOTATION);
  const named = ingress?.spec?.ingressClassName;
  if (annotated === undefined || named === undefined || annotated === named) return;
  const why = "must match `ingressClassName` when both are specified";
  place.child("annotations").child(CLASS_ANNOTATION).invalid(annotated, why);
};

const objectReference = fields<TypedLocalObjectReference>({
  apiGroup: ifPresent(dns1123Subdomain),
  kind: requiredThen(pathSegment),
  name: requiredThen(pathSegment),
});

const serviceName = fields<IngressServiceBackend>({ name: requiredThen(dns1123Label) });

const backend: Rule<IngressBackend> = (value, place) => {
  const { resource, service } = value ?? {};
  if (resource && service) place.invalid("", "cannot set both resource and service backends");
  else if (resource) objectReference(resource, place.child("resource"));
  else if (!service) place.invalid("", "resource or service backend is required");
  else {
    const { name = "", number = 0 } = service.port ?? {};
    const at = place.child("service");
    serviceName(service, at);
    if (name !== "" && number !== 0) {
      place.invalid("", "cannot set both port name & port number");
    } else if (name !== "") portName(name, at.child("port").child("name"));
    else if (number !== 0) portNumber(number, at.child("port").child("number"));
    else place.required("port name or number is required");
  }
};

const absolutePath: Rule<string> = (value = "", place) => {
  if (!value.startsWith("/")) place.invalid(value, "must be an absolute path");
};

/** Where every path means one thing only. */
const normalPath: Rule<string> = (value = "", place) => {
  for (const sequence of ["//", "/./", "/../", "%2f", "%2F"]) {
    if (value.includes(sequence)) place.invalid(value, `must not contain '${sequence}'`);
  }
  for (const end of ["/..", "/."]) {
    if (value.endsWith(end)) place.invalid(value, `cannot end with '${end}'`);
  }
};

const PATH_RULES: ReadonlyMap<string, Rule<string>> = new Map([
  ["Exact", all(absolutePath, normalPath)],
  ["ImplementationSpecific", ifSet(absolutePath)],
  ["Prefix", all(absolutePath, normalPath)],
]);

const httpPath: Rule<HTTPIngressPath> = (value, place) => {
  const type = value?.pathType;
  const at = place.child("pathType");
  if (type == null) return at.required("pathType must be specified");
  const rule = PATH_RULES.get(type);
  if (rule === undefined) at.notSupported(type, [...PATH_RULES.keys()]);
  else rule(value?.path, place.child("path"));
  backend(value?.backend, place.child("backend"));
};

const paths: Rule<IngressRule> = (rule, place) => {
  if (!rule?.http) return;
  const at = place.child("http").child("paths");
  if ((rule.http.paths ?? []).length === 0) at.required();
  each(httpPath)(rule.http.paths, at);
};

const secretName = fields<IngressTLS>({ secretName: ifSet(dns1123Subdomain) });

function ingressSpec(tolerance: Tolerance): Rule<IngressSpec> {
  const rule: Rule<IngressRule> = (value, place) => {
    ifSet(notAnIp, hostName)(value?.host, place.child("host"));
    if (!(tolerance.wildcardRules && isWildcard(value?.host))) paths(value, place);
  };
  const tls: Rule<IngressTLS> = (value, place) => {
    each(hostName)(value?.hosts, place.child("hosts"));
    if (!tolerance.secretNames) secretName(value, place);
  };
  return all(
    leadsSomewhere,
    fields<IngressSpec>({
      defaultBackend: ifPresent(backend),
      rules: each(rule),
      tls: each(tls),
      ingressClassName: ifPresent(dns1123Subdomain),
    }),
  );
}

const leadsSomewhere: Rule<IngressSpec> = (spec, place) => {
  if ((spec?.rules ?? []).length > 0 || spec?.defaultBackend) return;
  place.invalid(spec?.rules ?? null, "either `defaultBackend` or `rules` must be specified");
};

/** Addresses that were there before may stay. */
export const ingressStatusChange: ChangeRule<Ingress, RuleContext> = ({ value, old }, place) => {
  const known = new Set((old?.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip));
  const point = fields<IngressLoadBalancerIngress>({
    ip: ifSet((ip, at) => (known.has(ip) ? undefined : legacyIp(ip, at))),
    hostname: ifSet(dns1123Subdomain, notAnIp),
  });
  const { ingress } = value?.status?.loadBalancer ?? {};
  each(point)(ingress, place.child("status").child("loadBalancer").child("ingress"));
};
