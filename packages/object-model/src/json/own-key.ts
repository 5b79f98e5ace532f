/**
 * The value a map with user-chosen keys holds under `key`; undefined where it holds none. Labels,
 * annotations and data are read through this only: `labels["constructor"]` would find a function.
 */
export function ownKey<T>(
  map: Readonly<Record<string, T>> | null | undefined,
  key: string,
): T | undefined {
  return map != null && Object.hasOwn(map, key) ? map[key] : undefined;
}

/**
 * Puts a value under a user-chosen key. A name that every object inherits (`__proto__`, `toString`)
 * is defined rather than assigned: it becomes an own key, and nothing else happens.
 */
export function setOwnKey<T>(map: Record<string, T>, key: string, value: T): void {
  if (key in Object.prototype) {
    Object.defineProperty(map, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    map[key] = value;
  }
}
