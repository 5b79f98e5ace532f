/** Freezes a decoded tree all the way down, however deep it is; returns it. Trees come from JSON: no cycles. */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each !== "object" || each === null || Object.isFrozen(each)) continue;
    Object.freeze(each);
    for (const member of Object.values(each)) {
      if (typeof member === "object" && member !== null) waiting.push(member);
    }
  }
  return value;
}
