const STABLE = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Newest and most stable first: v2, v1, v1beta2, v1beta1, v1alpha1, then other names by letters. */
export function compareVersions(a: string, b: string): number {
  const left = STABLE.exec(a);
  const right = STABLE.exec(b);
  if (left === null || right === null) {
    if (left !== null) return -1;
    if (right !== null) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return (
    stability(right[2]) - stability(left[2]) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}

function stability(word: string | undefined): number {
  return word === undefined ? 2 : word === "beta" ? 1 : 0;
}
