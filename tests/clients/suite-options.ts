// What follows a suite's name on the command line: a mistake there must not run nothing and say "ok".

export class SuiteOptionError extends Error {
  override readonly name = "SuiteOptionError";
  readonly code = "SUITE_OPTION";
}

/** All of the names, or the one that an option asks for. */
export function chosen<Name extends string>(
  option: string,
  asked: string | undefined,
  names: readonly Name[],
): readonly Name[] {
  const found = names.filter((name) => asked === undefined || name === asked);
  if (found.length > 0) return found;
  throw new SuiteOptionError(`${option}: expected one of ${names.join(", ")}; got "${asked}"`);
}

export function positive(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number > 0) return number;
  throw new SuiteOptionError(`${option}: expected a number above 0, got "${text}"`);
}

export function regularExpression(option: string, text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new SuiteOptionError(`${option}: "${text}" is not a regular expression`);
  }
}

/** Of an option, as `parseArgs` of Node finds it, or of a value, as the functions here do. */
export function isSuiteOptionError(error: unknown): error is Error {
  if (error instanceof SuiteOptionError) return true;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("ERR_PARSE_ARGS_");
}
