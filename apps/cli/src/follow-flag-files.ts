import type { Clock } from "@homeostat/concurrency";
import type { AuthenticationFlags } from "./authentication-flags.ts";
import { FollowedFiles } from "./followed-files.ts";
import {
  readClientAuthorities,
  readServingPair,
  type ServingPair,
} from "./plane-authentication.ts";

export interface FlagFileEvents {
  readonly clock: Clock;
  readonly onServing: (pair: ServingPair) => void;
  /** PEM. */
  readonly onClientAuthorities: (authorities: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Follows what kube-apiserver follows too: its certificate, and the authorities of its clients. */
export function followFlagFiles(
  flags: AuthenticationFlags,
  said: { readonly serving: ServingPair | undefined; readonly clientAuthorities: string },
  { clock, onServing, onClientAuthorities, onError }: FlagFileEvents,
): Disposable {
  const stack = new DisposableStack();
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = flags;
  if (said.serving !== undefined) {
    stack.use(
      new FollowedFiles<ServingPair>(said.serving, {
        files: [tlsCertFile!, tlsPrivateKeyFile!],
        read: () => readServingPair(flags)!,
        clock,
        onChange: onServing,
        onError,
      }),
    );
  }
  if (clientCaFile !== undefined) {
    stack.use(
      new FollowedFiles<string>(said.clientAuthorities, {
        files: [clientCaFile],
        read: () => readClientAuthorities(flags),
        clock,
        onChange: onClientAuthorities,
        onError,
      }),
    );
  }
  return stack;
}
