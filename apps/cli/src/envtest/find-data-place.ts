import { readFileSync } from "node:fs";
import { get } from "node:http";
import { get as getTls, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { text } from "node:stream/consumers";
import { type Clock, sleep } from "@homeostat/concurrency";
import { DATA_PLACE_PATH, type DataPlace } from "./data-place.ts";
import type { EtcdAccess } from "./kube-apiserver-flags.ts";

/** No etcd answered in time, or one that is not ours. */
class EtcdUnusableError extends Error {
  readonly code = "flag-etcd-unusable";
  override readonly name = "EtcdUnusableError";
}

/** As long as envtest gives an etcd to start: both are often started at once. */
const PATIENCE = 20_000;
const RETRY = 25;

/** Asks the etcd where the data is to be, for as long as it may still be starting. */
export async function findDataPlace(access: EtcdAccess, clock: Clock): Promise<DataPlace> {
  const options = tlsOptions(access);
  const [server] = access.servers;
  const url = new URL(DATA_PLACE_PATH, server);
  const begun = clock.monotonic();
  for (;;) {
    try {
      return await ask(url, options);
    } catch (error) {
      if (error instanceof EtcdUnusableError) throw error;
      if (clock.monotonic() - begun > PATIENCE) {
        throw new EtcdUnusableError(
          `no etcd answers at ${server!.origin}: ${(error as Error).message}`,
          { cause: error },
        );
      }
      await sleep(clock, RETRY);
    }
  }
}

async function ask(url: URL, options: RequestOptions): Promise<DataPlace> {
  const { promise, resolve, reject } = Promise.withResolvers<DataPlace>();
  const send = url.protocol === "https:" ? getTls : get;
  // An address has no server name; a host name is one by itself.
  const named = isIP(url.hostname) === 0 ? {} : { servername: "" };
  const request = send(url, { ...options, ...named, agent: false }, (response) => {
    void text(response)
      .then((body) => resolve(parse(body, url)))
      .catch(reject);
  });
  request.once("error", reject);
  return promise;
}

function parse(body: string, url: URL): DataPlace {
  try {
    const place = JSON.parse(body) as Partial<DataPlace>;
    if (typeof place.dataDirectory === "string") return { dataDirectory: place.dataDirectory };
  } catch {
    // Told below.
  }
  throw new EtcdUnusableError(
    `${url.origin} is not the etcd of homeostat envtest-assets; this kube-apiserver works with that one only`,
  );
}

function tlsOptions({ caFile, certFile, keyFile }: EtcdAccess): RequestOptions {
  return {
    ...(caFile && { ca: readFileSync(caFile) }),
    ...(certFile && { cert: readFileSync(certFile) }),
    ...(keyFile && { key: readFileSync(keyFile) }),
  };
}
