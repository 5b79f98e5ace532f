import type { StaticTokens } from "./static-tokens.ts";
import type { TokenKeys } from "./token-keys.ts";

/** How a plane knows its users, beside the certificates of connections. */
export interface AuthenticationOptions {
  /** Whether requests without credentials are taken, as system:anonymous. Default true. */
  readonly anonymous?: boolean;
  /** Tokens that are known beforehand. Default: none. */
  readonly staticTokens?: StaticTokens;
  /**
   * The keys of service account tokens, or where to get them when first needed. Default: one that
   * the plane's chance makes, and forgets.
   */
  readonly tokenKeys?: TokenKeys | (() => TokenKeys);
  /** Whose service account tokens are believed; the first is who signs. */
  readonly issuers?: readonly string[];
  /** Whom tokens are for that are good here. Default: the issuers. */
  readonly audiences?: readonly string[];
  /** Where others find the keys. Default: at the host that is asked. */
  readonly jwksUri?: string;
  /** The longest time a token is given for. Default: as long as is asked. */
  readonly maxTokenSeconds?: number;
  /** Whether tokens of pods live a year, and are only noted when older than asked. Default true. */
  readonly extendTokens?: boolean;
}
