import { createConnection, createServer, type Server, type Socket } from "node:net";
import { realClock, sleep } from "@homeostat/concurrency";
import type { Service } from "@homeostat/object-model/core-v1";
import type { EndpointSlice } from "@homeostat/object-model/discovery-v1";
import type { ApiClient, ApiEvent, ApiObject } from "../../kubelet/api-client.ts";

const SERVICES = "/api/v1/services";
const RETRY_MILLISECONDS = 500;

/**
 * Stands for kube-proxy: listens at the cluster address of each Service, all of which belong to this
 * machine's loopback (private-network.ts), and passes connections on to a ready endpoint. TCP only.
 */
export class ServiceForwarder implements AsyncDisposable {
  readonly #api: ApiClient;
  readonly #stopping = new AbortController();
  /** By address and port. */
  readonly #servers = new Map<string, Server>();
  readonly #loop: Promise<void>;

  constructor(api: ApiClient) {
    this.#api = api;
    this.#loop = this.#follow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    for (const server of this.#servers.values()) server.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const { items, version } = await this.#api.list(SERVICES);
        for (const item of items) this.#open(item);
        for await (const event of this.#api.watch(SERVICES, version, signal)) this.#hear(event);
      } catch {
        // Asked again below, unless it is over.
      }
      await sleep(realClock, RETRY_MILLISECONDS, { signal }).catch(() => undefined);
    }
  }

  #hear({ type, object }: ApiEvent): void {
    if (type === "DELETED") this.#close(object);
    else if (type !== "BOOKMARK") this.#open(object);
  }

  #open(object: ApiObject): void {
    const { metadata, spec } = object as Service;
    for (const [place, { name = "", port = 0 }] of places(object)) {
      if (this.#servers.has(place)) continue;
      const of = { namespace: metadata?.namespace ?? "", service: metadata?.name ?? "", name };
      const server = createServer((socket) => void this.#pass(socket, of));
      server.once("error", () => this.#servers.delete(place));
      server.listen(port, spec?.clusterIP ?? "");
      this.#servers.set(place, server);
    }
  }

  #close(object: ApiObject): void {
    for (const [place] of places(object)) {
      this.#servers.get(place)?.close();
      this.#servers.delete(place);
    }
  }

  async #pass(socket: Socket, of: ServicePortName): Promise<void> {
    socket.on("error", () => socket.destroy());
    const target = await this.#endpoint(of).catch(() => undefined);
    if (target === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const onward = createConnection(target);
    onward.on("error", () => socket.resetAndDestroy());
    socket.once("close", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  }

  async #endpoint(of: ServicePortName): Promise<{ host: string; port: number } | undefined> {
    const { namespace, service, name } = of;
    const query = `labelSelector=kubernetes.io%2Fservice-name%3D${service}`;
    const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?${query}`;
    const { items } = await this.#api.list(path);
    for (const slice of items as readonly object[] as readonly EndpointSlice[]) {
      const port = slice.ports?.find((each) => (each.name ?? "") === name)?.port;
      const ready = slice.endpoints?.find(({ conditions }) => conditions?.ready !== false);
      const host = ready?.addresses?.[0];
      if (host !== undefined && port !== undefined) return { host, port };
    }
    return undefined;
  }
}

interface ServicePortName {
  readonly namespace: string;
  readonly service: string;
  readonly name: string;
}

type ServicePorts = NonNullable<NonNullable<Service["spec"]>["ports"]>;

function places(object: ApiObject): [string, ServicePorts[number]][] {
  const { clusterIP = "", ports = [] } = (object as Service).spec ?? {};
  if (clusterIP === "" || clusterIP === "None") return [];
  return ports
    .filter(({ protocol }) => protocol === "TCP")
    .map((each) => [`${clusterIP}:${each.port}`, each]);
}
