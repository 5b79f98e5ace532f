/** Network policies. */
import type { LabelSelector } from "@homeostat/object-model/meta-v1";
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "@homeostat/object-model/networking-v1";
import { each, fields, ifPresent, type Rule } from "@homeostat/schema";
import { knownChoice, optionalChoice } from "./checks/choices.ts";
import { legacyCidr } from "./checks/cidrs.ts";
import { isRefused } from "./checks/is-refused.ts";
import { labelSelector, labelSelectorOfAnyValues } from "./checks/label-selectors.ts";
import { isStrictPart, readNetwork } from "./checks/networks.ts";
import { portName, portNumber } from "./checks/ports.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const networkPolicyRules: readonly NamedTypeRules[] = [
  rulesFor<NetworkPolicy>("networking.v1.NetworkPolicy", {
    validate(policy, place) {
      policySpec({ selector: labelSelector, cidrs: [] })(policy?.spec, place.child("spec"));
    },
    validateChange({ value, old }, place) {
      const selector = isRefused(labelSelector, old?.spec?.podSelector)
        ? labelSelectorOfAnyValues
        : labelSelector;
      const known = { selector, cidrs: cidrsOf(old?.spec) };
      policySpec(known)(value?.spec, place.child("spec"));
    },
  }),
  rulesFor<NetworkPolicySpec>("networking.v1.NetworkPolicySpec", {
    setDefaults(spec) {
      if ((spec.policyTypes ?? []).length > 0) return;
      spec.policyTypes = (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    },
  }),
  rulesFor<NetworkPolicyPort>("networking.v1.NetworkPolicyPort", { defaults: { protocol: "TCP" } }),
];

/** What depends on the old object: how strict selectors are, and networks that may stay. */
interface Tolerance {
  readonly selector: Rule<LabelSelector>;
  readonly cidrs: readonly string[];
}

function cidrsOf(spec: NetworkPolicySpec | undefined): readonly string[] {
  const peers = [
    ...(spec?.ingress ?? []).flatMap(({ from }) => from ?? []),
    ...(spec?.egress ?? []).flatMap(({ to }) => to ?? []),
  ];
  return peers.flatMap(({ ipBlock: block }) =>
    block ? [block.cidr ?? ""].concat(block.except ?? []) : [],
  );
}

/** A range of ports is one of numbers. */
const port: Rule<NetworkPolicyPort> = (value, place) => {
  const { protocol, port: first, endPort } = value ?? {};
  const end = place.child("endPort");
  optionalChoice("TCP", "UDP", "SCTP")(protocol, place.child("protocol"));
  if (first === undefined) {
    if (endPort !== undefined) {
      end.invalid(endPort, "may not be specified when `port` is not specified");
    }
  } else if (typeof first === "string") {
    if (endPort !== undefined) {
      end.invalid(endPort, "may not be specified when `port` is non-numeric");
    }
    portName(first, place.child("port"));
  } else {
    portNumber(first, place.child("port"));
    if (endPort === undefined) return;
    // Kubernetes shows the other port.
    if (endPort < first) end.invalid(first, "must be greater than or equal to `port`");
    portNumber(endPort, end);
  }
};

function ipBlock({ cidrs }: Tolerance): Rule<IPBlock> {
  const cidr: Rule<string> = (value = "", place) => {
    if (!cidrs.includes(value)) legacyCidr(value, place);
  };
  return (block, place) => {
    const text = block?.cidr ?? "";
    if (text === "") return place.child("cidr").required();
    cidr(text, place.child("cidr"));
    const network = readNetwork(text);
    if (network === undefined) return;
    each<string>((value = "", at) => {
      cidr(value, at);
      const part = readNetwork(value);
      if (part !== undefined && !isStrictPart(part, network)) {
        at.invalid(value, "must be a strict subset of `cidr`");
      }
    })(block?.except, place.child("except"));
  };
}

function peer(tolerance: Tolerance): Rule<NetworkPolicyPeer> {
  const parts = fields<NetworkPolicyPeer>({
    podSelector: ifPresent(tolerance.selector),
    namespaceSelector: ifPresent(tolerance.selector),
    ipBlock: ifPresent(ipBlock(tolerance)),
  });
  return (value, place) => {
    parts(value, place);
    const { podSelector, namespaceSelector, ipBlock: block } = value ?? {};
    const selects = Boolean(podSelector ?? namespaceSelector);
    if (!selects && !block) place.required("must specify a peer");
    if (selects && block) place.forbidden("may not specify both ipBlock and another peer");
  };
}

const TYPES = ["Ingress", "Egress"] as const;

const policyTypes: Rule<readonly string[]> = (list = [], place) => {
  if (list.length > TYPES.length) place.invalid(list, "may not specify more than two policyTypes");
  else each(knownChoice(...TYPES))(list, place);
};

function policySpec(tolerance: Tolerance): Rule<NetworkPolicySpec> {
  const peers = each(peer(tolerance));
  return fields<NetworkPolicySpec>({
    podSelector: tolerance.selector,
    ingress: each(fields<NetworkPolicyIngressRule>({ ports: each(port), from: peers })),
    egress: each(fields<NetworkPolicyEgressRule>({ ports: each(port), to: peers })),
    policyTypes,
  });
}
