/** Token requests. */
import type { TokenRequestSpec } from "@homeostat/object-model/authentication-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const tokenRequestRules: readonly NamedTypeRules[] = [
  rulesFor<TokenRequestSpec>("authentication.v1.TokenRequestSpec", {
    defaults: { expirationSeconds: 3600 },
  }),
];
