/** How far the embedded server agrees with kube-apiserver, kind by kind, and how far it did before. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface Agreement {
  readonly probes: number;
  readonly agree: number;
}

/** Kinds for which 99 % of the probes have to agree; for the others 95 %. */
const strictKinds: ReadonlySet<string> = new Set([
  "pods",
  "podtemplates",
  "replicationcontrollers",
  "deployments",
  "statefulsets",
  "daemonsets",
  "replicasets",
  "controllerrevisions",
  "services",
  "jobs",
  "cronjobs",
  "namespaces",
  "configmaps",
  "secrets",
  "persistentvolumeclaims",
  "persistentvolumes",
  "roles",
  "rolebindings",
  "clusterroles",
  "clusterrolebindings",
  "resourcequotas",
  "limitranges",
  "validatingwebhookconfigurations",
  "mutatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "leases",
  "events",
  "events.events.k8s.io",
  "ingresses",
  "networkpolicies",
  "horizontalpodautoscalers",
  "horizontalpodautoscalers.v1.autoscaling",
  "poddisruptionbudgets",
]);

const file = fileURLToPath(new URL("./agreement.json", import.meta.url));

export async function readAgreement(): Promise<Map<string, Agreement>> {
  if (!existsSync(file)) return new Map();
  const table = JSON.parse(await readFile(file, "utf8")) as Record<string, Agreement>;
  return new Map(Object.entries(table));
}

export async function writeAgreement(table: ReadonlyMap<string, Agreement>): Promise<void> {
  const lines = [...table].map(([kind, each]) => `  ${JSON.stringify(kind)}: ${printEntry(each)}`);
  await writeFile(file, `{\n${lines.join(",\n")}\n}\n`);
}

function printEntry({ probes, agree }: Agreement): string {
  return `{ "probes": ${probes}, "agree": ${agree} }`;
}

/** Rows of kind, probes, agree, percent; then the sums of both groups and of all. */
export function agreementRows(table: ReadonlyMap<string, Agreement>): string[][] {
  const rows = [...table].map(([kind, each]) => row(kind, each));
  const sum = (name: string, wanted: (kind: string) => boolean): string[] => {
    const chosen = [...table].filter(([kind]) => wanted(kind)).map(([, each]) => each);
    return row(name, {
      probes: chosen.reduce((all, { probes }) => all + probes, 0),
      agree: chosen.reduce((all, { agree }) => all + agree, 0),
    });
  };
  return [
    ...rows,
    sum("kinds that need 99 %", (kind) => strictKinds.has(kind)),
    sum("kinds that need 95 %", (kind) => !strictKinds.has(kind)),
    sum("all kinds", () => true),
  ];
}

function row(kind: string, { probes, agree }: Agreement): string[] {
  const percent = probes === 0 ? "-" : `${(Math.floor((agree / probes) * 1000) / 10).toFixed(1)} %`;
  return [kind, String(probes), String(agree), percent];
}

/** The table of docs/reference/differences.md. */
export function printAgreementMarkdown(table: ReadonlyMap<string, Agreement>): string {
  const head = ["| kind | probes | agree | |", "| --- | ---: | ---: | ---: |"];
  return [...head, ...agreementRows(table).map((cells) => `| ${cells.join(" | ")} |`)].join("\n");
}
