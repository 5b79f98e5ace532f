export interface ServerNamesOptions {
  /** Left out when it is no DNS name. */
  readonly hostName?: string;
  /** The IP addresses the server listens at, beside loopback. */
  readonly addresses?: readonly string[];
  /** The first address of the service range: pods reach the API there. */
  readonly serviceAddress: string;
  /** Default "cluster.local". */
  readonly clusterDomain?: string;
}

const dnsName =
  /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

/** The names under which an API server is called from this machine and from inside the cluster. */
export function serverNames({
  hostName = "",
  addresses = [],
  serviceAddress,
  clusterDomain = "cluster.local",
}: ServerNamesOptions): string[] {
  const host = hostName.toLowerCase();
  return [
    ...new Set([
      "localhost",
      "kubernetes",
      "kubernetes.default",
      "kubernetes.default.svc",
      `kubernetes.default.svc.${clusterDomain}`,
      ...(dnsName.test(host) ? [host] : []),
      "127.0.0.1",
      "::1",
      serviceAddress,
      ...addresses,
    ]),
  ];
}
