/** How operations and their groups are called. */

/** `RbacAuthorization` of `rbac.authorization.k8s.io`, `Core` of the one without a name. */
export function groupTitle(group: string): string {
  if (group === "") return "Core";
  return group
    .replace(/\.k8s\.io$/, "")
    .split(".")
    .map(capitalize)
    .join("");
}

export function tagOf(group: string, version?: string): string {
  const title = groupTitle(group);
  const name = title.slice(0, 1).toLowerCase() + title.slice(1);
  return version === undefined ? name : `${name}_${version}`;
}

export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
