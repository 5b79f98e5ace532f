// A user who may do what roles say and nothing else. The admin is of system:masters, whom both servers
// let pass before they look at a role: what authorization costs shows only with somebody like this one.
import { join } from "node:path";
import { DataFolder } from "../harness/data-folder.ts";
import { writeCertificates } from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { ask } from "./ask-server.ts";

class NotGrantedError extends Error {
  readonly code = "NOT_GRANTED";
}

export class LimitedUser implements AsyncDisposable {
  readonly #folder: DataFolder;

  private constructor(folder: DataFolder) {
    this.#folder = folder;
  }

  static async create(): Promise<LimitedUser> {
    await using undo = new AsyncDisposableStack();
    const folder = undo.use(new DataFolder("limited-user"));
    await writeCertificates(folder.path);
    undo.move();
    return new LimitedUser(folder);
  }

  /** The authority that a server has to believe for the user to get in. */
  get authorityFile(): string {
    return join(this.#folder.path, "ca.crt");
  }

  /** The same server as the user reaches it, after its admin has granted what the loads need. */
  async at(server: LoadedServer): Promise<LoadedServer> {
    for (const [resource, object] of Object.entries(rights)) {
      const path = `/apis/${apiVersion}/${resource}`;
      const { status, text } = await ask(server, { method: "POST", path, body: object });
      if (status === 201) continue;
      throw new NotGrantedError(`${server.name} answered ${status} to POST ${path}: ${text}`);
    }
    return {
      name: server.name,
      url: server.url,
      files: {
        ca: server.files.ca,
        clientCertificate: join(this.#folder.path, "user.crt"),
        clientKey: join(this.#folder.path, "user.key"),
      },
      usage: () => server.usage(),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder[Symbol.asyncDispose]();
  }
}

const apiVersion = "rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const metadata = { name: "benchmarks" };

/** The group is the one of the certificate that http-driver/certificates.go makes. */
const rights = {
  clusterroles: {
    apiVersion,
    kind: "ClusterRole",
    metadata,
    rules: [
      { apiGroups: [""], resources: ["namespaces", "serviceaccounts"], verbs: ["create"] },
      {
        apiGroups: [""],
        resources: ["configmaps", "pods"],
        verbs: ["create", "get", "list", "update"],
      },
      { apiGroups: [""], resources: ["pods/status"], verbs: ["update"] },
    ],
  },
  clusterrolebindings: {
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata,
    roleRef: { apiGroup, kind: "ClusterRole", name: metadata.name },
    subjects: [{ apiGroup, kind: "Group", name: "benchmarks" }],
  },
};
