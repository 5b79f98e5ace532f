import type { WireFieldPlan } from "./wire-plan.ts";

/** Names that begin with one of these have it in capitals in Go. */
const INITIALS =
  /^(?:api|ca|cel|cidr|csi|dns|fc|fs|gid|gmsa|grpc|http|id|ip|iqn|iscsi|json|nfs|os|pd|qos|rbd|se|ssl|tcp|tls|ttl|tty|uid|url)(?![a-z])/;

/** What Go calls the field, which its messages about malformed bytes do; a few names are guesses. */
export function wireFieldName({ name, kind, schemaName }: WireFieldPlan): string {
  const typeName = schemaName?.slice(schemaName.lastIndexOf(".") + 1) ?? "";
  if (name === "" || (name === "metadata" && kind === "object")) return typeName;
  const initials = INITIALS.exec(name)?.[0] ?? name.charAt(0);
  return initials.toUpperCase() + name.slice(initials.length);
}
