/**
 * For parsers that refuse a text by throwing: what the error says is wanted, where it was made is
 * not, and noting that takes ten times as long as the parsing.
 */
export function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
