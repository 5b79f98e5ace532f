import type { Command } from "commander";
import { addWordsTo, parseBoolean } from "./flag-values.ts";

/** How the server reaches kubelets, and what /proxy may reach. */
export interface KubeletFlags {
  readonly kubeletClientCertificate?: string;
  readonly kubeletClientKey?: string;
  readonly kubeletCertificateAuthority?: string;
  readonly kubeletPreferredAddressTypes?: readonly string[];
  readonly proxyLocalAddresses: boolean;
}

/** Flags by the names that kube-apiserver has for them, but for the last, which it has none for. */
export function addKubeletFlags(command: Command): Command {
  return command
    .option(
      "--kubelet-client-certificate <file>",
      "what the server shows to kubelets (default: one of its own authority)",
    )
    .option("--kubelet-client-key <file>", "key of that certificate")
    .option(
      "--kubelet-certificate-authority <file>",
      "verify certificates of kubelets with these authorities (default: they are not verified)",
    )
    .option(
      "--kubelet-preferred-address-types <list>",
      "which of a node's addresses to use, the preferred type first (default: Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP)",
      addWordsTo,
    )
    .option(
      "--proxy-local-addresses [bool]",
      "let /proxy of pods and nodes go to loopback and link-local addresses too",
      parseBoolean,
      false,
    );
}
