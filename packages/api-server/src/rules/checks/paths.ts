/** Paths of files, as volumes, mounts and profiles name them. Always with forward slashes. */
import type { Rule } from "@homeostat/schema";

export function hasBacksteps(path: string): boolean {
  return path.split("/").includes("..");
}

export const pathWithoutBacksteps: Rule<string> = (value = "", place) => {
  if (hasBacksteps(value)) place.invalid(value, "must not contain '..'");
};

/** Relative, and never upwards. */
export const descendingPath: Rule<string> = (value = "", place) => {
  if (value.startsWith("/")) place.invalid(value, "must be a relative path");
  pathWithoutBacksteps(value, place);
};

/** The same, and no name that begins with two dots at the start: those are the kubelet's. */
export const unreservedPath: Rule<string> = (value = "", place) => {
  descendingPath(value, place);
  if (value.startsWith("..") && !value.startsWith("../")) {
    place.invalid(value, "must not start with '..'");
  }
};

export function isUnreservedPath(path: string): boolean {
  return !path.startsWith("/") && !hasBacksteps(path) && !path.startsWith("..");
}
