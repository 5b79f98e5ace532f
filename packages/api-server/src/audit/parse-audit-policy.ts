import { ApiError } from "@homeostat/object-model";
import { YamlError } from "../verbs/yaml-error.ts";
import { type AuditPolicy, AuditPolicyError, readAuditPolicy } from "./audit-policy.ts";

/** The policy in a file, YAML or JSON. Rejects with AuditPolicyError. */
export async function parseAuditPolicy(bytes: Uint8Array): Promise<AuditPolicy> {
  // Its library is only needed by those who have a policy.
  const { decodeYaml } = await import("../verbs/decode-yaml.ts");
  try {
    const { value } = await decodeYaml(bytes, () => Promise.resolve());
    return readAuditPolicy(value);
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof ApiError)) throw error;
    throw new AuditPolicyError(`failed decoding: ${error.message}`, { cause: error });
  }
}
