import { LabelSelector, type Labels, type ObjectMeta } from "@homeostat/object-model";
import { ageOf } from "./human-duration.ts";
import type { Printed } from "./table.ts";

interface Named {
  readonly metadata?: Printed<ObjectMeta> | null;
}

export function nameOf({ metadata }: Named): string {
  return metadata?.name ?? "";
}

/** The age of the object. */
export function age({ metadata }: Named, now: number): string {
  return ageOf(metadata?.creationTimestamp, now);
}

export function isDeleting({ metadata }: Named): boolean {
  return metadata?.deletionTimestamp != null;
}

/** `a=1,b=2` */
export function labelText(labels: Printed<Labels> | null | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.sort().join(",");
}

type SelectorObject = Parameters<typeof LabelSelector.fromObject>[0];

/** `none` stands for a selector that prints as nothing, `broken` for one that cannot be read. */
export function selectorText(
  selector: unknown,
  { none, broken }: { readonly none: string; readonly broken: string },
): string {
  try {
    return String(LabelSelector.fromObject(selector as SelectorObject)) || none;
  } catch {
    return broken;
  }
}

interface PodTemplate {
  readonly spec?: {
    readonly containers?:
      | readonly {
          readonly name?: string | null;
          readonly image?: string | null;
        }[]
      | null;
  } | null;
}

/** Names and images of the containers of a template. */
export function containerCells(template: PodTemplate | null | undefined): [string, string] {
  const containers = template?.spec?.containers ?? [];
  return [
    containers.map(({ name }) => name ?? "").join(","),
    containers.map(({ image }) => image ?? "").join(","),
  ];
}

/** The first three, and how many more there are. */
export function firstThree(texts: readonly string[], none: string): string {
  const text = texts.slice(0, 3).join(",");
  if (texts.length > 3) return `${text} + ${texts.length - 3} more...`;
  return text === "" ? none : text;
}

export function sortedSet(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort();
}

interface LoadBalancer {
  readonly ingress?:
    | readonly { readonly ip?: string | null; readonly hostname?: string | null }[]
    | null;
}

export function loadBalancerText(status: LoadBalancer | null | undefined): string {
  const addresses = (status?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || "");
  return sortedSet(addresses.filter((address) => address !== "")).join(",");
}
