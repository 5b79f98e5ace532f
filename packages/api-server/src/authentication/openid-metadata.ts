import { ApiError, type DoorRequest } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { methodNotAllowed } from "../answers/not-found.ts";
import type { PathRoute } from "../path-route.ts";
import type { Authenticator } from "./authenticator.ts";
import type { TokenVerifier } from "./token-keys.ts";

const KEYS_PATH = "/openid/v1/jwks";
const KEYS_TYPE = "application/jwk-set+json";

/** What others need to check service account tokens by themselves: OpenID discovery, and the keys. */
export function openidRoutes(authenticator: Authenticator): readonly PathRoute[] {
  const [issuer = ""] = authenticator.issuers;
  const { jwksUri } = authenticator.options;
  if (!isDiscoverable(issuer)) return [];
  const verifiers = () => authenticator.keys.verifiers;
  return [
    {
      path: "/.well-known/openid-configuration",
      answer: ({ request }) => {
        mustRead(request, "application/json");
        const algorithms = new Set(verifiers().map(({ algorithm }) => algorithm));
        return answerOf("application/json", {
          issuer,
          jwks_uri: jwksUri ?? `https://${request.headers?.["host"] ?? ""}${KEYS_PATH}`,
          response_types_supported: ["id_token"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: [...algorithms].toSorted(),
        });
      },
    },
    {
      path: KEYS_PATH,
      answer: ({ request }) => {
        mustRead(request, KEYS_TYPE);
        return answerOf(KEYS_TYPE, { keys: verifiers().map(shown) });
      },
    },
  ];
}

/** Numbers that a key has not are left out. */
function shown({ keyId: kid, algorithm: alg, publicKey }: TokenVerifier): object {
  const { kty, n, e, crv, x, y } = publicKey;
  return { use: "sig", kty, kid, crv, alg, n, e, x, y };
}

/** An issuer that is no plain HTTPS address cannot be asked. */
function isDiscoverable(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url !== null && url.protocol === "https:" && !/[?#]/.test(issuer);
}

function mustRead({ method, headers }: DoorRequest, type: string): void {
  if (method !== "GET") throw methodNotAllowed();
  const accept = headers?.["accept"] ?? "";
  if (accept === "" || accept.includes(type) || accept.includes("*/*")) return;
  throw new ApiError({
    reason: "NotAcceptable",
    message: `406: Not Acceptable\n\nAvailable representations: ${type}`,
    details: {},
  });
}

function answerOf(contentType: string, value: object): Answer {
  return {
    status: 200,
    headers: { "cache-control": "public, max-age=3600" },
    payload: { kind: "text", contentType, text: JSON.stringify(value) },
  };
}
