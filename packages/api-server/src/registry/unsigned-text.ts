/** What Go's strconv.ParseUint takes; "" stands for none. */
export function isUnsigned(text: string): boolean {
  return text === "" || (/^[0-9]+$/.test(text) && BigInt(text) < 2n ** 64n);
}

/** As strconv.ParseUint says it. */
export function unsignedProblem(text: string): string {
  const what = /^[0-9]+$/.test(text) ? "value out of range" : "invalid syntax";
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${what}`;
}
