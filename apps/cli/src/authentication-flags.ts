import { type Command, Option } from "commander";
import {
  addTo,
  addWordsTo,
  parseAuthorizationModes,
  parseBoolean,
  parseCount,
  parseIssuer,
  parseTokenLife,
} from "./flag-values.ts";

/** How clients and the server show who they are, as the flags say it. */
export interface AuthenticationFlags {
  readonly anonymousAuth: boolean;
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly serviceAccountKeyFile?: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountIssuer?: readonly string[];
  readonly serviceAccountJwksUri?: string;
  /** Seconds. */
  readonly serviceAccountMaxTokenExpiration?: number;
  readonly serviceAccountExtendTokenExpiration: boolean;
  readonly apiAudiences?: readonly string[];
  readonly authorizationMode: "RBAC" | "AlwaysAllow";
  readonly maxConnections?: number;
}

/** Flags by the names that kube-apiserver has for them. */
export function addAuthenticationFlags(command: Command): Command {
  return command
    .option(
      "--anonymous-auth [bool]",
      "take requests without credentials, as system:anonymous",
      parseBoolean,
      true,
    )
    .option("--token-auth-file <file>", "bearer tokens, as lines of token,user,uid,groups")
    .option(
      "--client-ca-file <file>",
      "trust client certificates of these authorities too, beside the server's own",
    )
    .option("--tls-cert-file <file>", "certificate to serve with (default: one of our own)")
    .option("--tls-private-key-file <file>", "key of that certificate")
    .option(
      "--service-account-signing-key-file <file>",
      "private key that signs service account tokens (default: kept in the data directory)",
    )
    .option(
      "--service-account-key-file <file>",
      "believe tokens signed with these keys too; may be given more than once",
      addTo,
    )
    .option(
      "--service-account-issuer <url>",
      "who service account tokens are from; given more than once, the others are believed too (default: https://kubernetes.default.svc.cluster.local)",
      parseIssuer,
    )
    .option("--service-account-jwks-uri <url>", "where others find the keys of tokens")
    .option(
      "--service-account-max-token-expiration <duration>",
      "the longest life of a token, such as 24h",
      parseTokenLife,
    )
    .option(
      "--service-account-extend-token-expiration [bool]",
      "let tokens of pods live a year",
      parseBoolean,
      true,
    )
    .option(
      "--api-audiences <list>",
      "whom tokens have to be for (default: the issuers)",
      addWordsTo,
    )
    .addOption(
      new Option(
        "--authorization-mode <modes>",
        "RBAC or AlwaysAllow; Node may stand beside RBAC, and changes nothing",
      )
        .argParser(parseAuthorizationModes)
        .default("RBAC"),
    )
    .option(
      "--max-connections <count>",
      "connections at a time; one more is closed at once (default: 10000)",
      parseCount,
    );
}
