// The assets: real peers, and our own Go programs that drive them, which benchmarks and comparisons
// run beside ours. A new peer is one more entry here; nothing else in this folder knows names.
// asset-path.ts answers where a ready binary is, build-asset.ts makes one, main.ts is the command.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  /** The name on the command line and of the binary. */
  readonly name: string;
  /** Names the folder in the cache; the text that `versionArguments` prints must contain it. */
  readonly version: string;
  readonly about: string;
  readonly versionArguments: readonly string[];
  /** Go string variables set by the linker: import path and name -> value. */
  readonly linkerVariables: Readonly<Record<string, string>>;
  readonly source: ModuleSource | ProjectSource;
}

/** A program of a published Go module, built through a wrapper module (wrapper-module.ts). */
export interface ModuleSource {
  readonly from: "module";
  readonly module: string;
  readonly moduleVersion: string;
  readonly package: string;
  /**
   * For a module that replaces its dependencies by folders of its own repository, as
   * k8s.io/kubernetes does: the version under which these folders are published.
   */
  readonly stagingVersion?: string;
}

/** A program in this repository, a Go module of its own. */
interface ProjectSource {
  readonly from: "project";
  /** Absolute. */
  readonly folder: string;
}

const project = fileURLToPath(new URL("../../", import.meta.url));

/** Every asset, in the order in which they are built. */
export function catalog(): readonly Asset[] {
  return [
    {
      name: "etcd",
      version: "3.6.16",
      about: "the store of Kubernetes, peer of our store",
      versionArguments: ["--version"],
      linkerVariables: {},
      source: {
        from: "module",
        module: "go.etcd.io/etcd/server/v3",
        moduleVersion: "v3.6.16",
        package: "go.etcd.io/etcd/server/v3",
      },
    },
    kubernetesAsset("kube-apiserver", "the API server of Kubernetes, peer of ours"),
    kubernetesAsset("kubectl", "the command line client of Kubernetes"),
    kubernetesAsset("kube-controller-manager", "the controllers of Kubernetes, clients of ours"),
    kubernetesAsset("kube-scheduler", "the scheduler of Kubernetes, a client of ours"),
    helmAsset("helm", "3.22.0"),
    helmAsset("helm4", "4.3.1"),
    projectAsset("etcd-driver", {
      folder: join(project, "bench/store/etcd-driver"),
      about: "loads etcd with its own Go client (bench/store/etcd-driver)",
    }),
    projectAsset("http-driver", {
      folder: join(project, "bench/api-server/http-driver"),
      about: "loads an API server over HTTPS (bench/api-server/http-driver)",
    }),
  ];
}

/** A program of the Kubernetes repository. */
function kubernetesAsset(name: string, about: string): Asset {
  const versionVariable = "k8s.io/component-base/version";
  return {
    name,
    version: "1.36.3",
    about,
    versionArguments: name === "kubectl" ? ["version", "--client"] : ["--version"],
    linkerVariables: {
      [`${versionVariable}.gitVersion`]: "v1.36.3",
      [`${versionVariable}.gitMajor`]: "1",
      [`${versionVariable}.gitMinor`]: "36",
      [`${versionVariable}.gitTreeState`]: "clean",
    },
    source: {
      from: "module",
      module: "k8s.io/kubernetes",
      moduleVersion: "v1.36.3",
      stagingVersion: "v0.36.3",
      package: `k8s.io/kubernetes/cmd/${name}`,
    },
  };
}

/** Helm by its major version, a client of ours. */
function helmAsset(name: string, version: string): Asset {
  const module = `helm.sh/helm/v${version[0]}`;
  return {
    name,
    version,
    about: `Helm ${version[0]}, a client of ours`,
    versionArguments: ["version"],
    linkerVariables: { [`${module}/internal/version.version`]: `v${version}` },
    source: {
      from: "module",
      module,
      moduleVersion: `v${version}`,
      package: `${module}/cmd/helm`,
    },
  };
}

/** One of our own programs. Its version follows its sources, so that an edit leads to a new build. */
function projectAsset(name: string, program: { folder: string; about: string }): Asset {
  const version = sourceVersion(program.folder);
  return {
    name,
    version,
    about: program.about,
    versionArguments: ["--version"],
    linkerVariables: { "main.version": version },
    source: { from: "project", folder: program.folder },
  };
}

/** A version that changes with any file that the build of the Go module in `folder` reads. */
export function sourceVersion(folder: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder).filter((name) => /\.go$|^go\.(mod|sum)$/.test(name));
  for (const name of files.sort()) {
    const content = readFileSync(join(folder, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return `source-${hash.digest("hex").slice(0, 12)}`;
}
