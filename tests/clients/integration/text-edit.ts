/** Changes to files of others, each at a place that is named by its text. */

export interface TextEdit {
  /** The text to find; it must be there exactly `times` times. */
  readonly find: string;
  /** 1 unless told. */
  readonly times?: number;
  /** Texts around what was found; with `instead` that is gone. */
  readonly before?: string;
  readonly instead?: string;
  readonly after?: string;
}

class TextEditError extends Error {
  override readonly name = "TextEditError";
  readonly code = "TEXT_EDIT";
}

/** The file's name is for the message only. */
export function editText(file: string, text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((edited, edit) => {
    const { find, times = 1, before = "", instead = find, after = "" } = edit;
    const parts = edited.split(find);
    if (parts.length - 1 !== times) {
      throw new TextEditError(
        `${file}: expected ${JSON.stringify(find)} ${times} times, found it ${parts.length - 1} times; is this another version of the module?`,
      );
    }
    return parts.join(`${before}${instead}${after}`);
  }, text);
}

const STAGING = /^(\t(\S+) => )\.\/staging\/src\/\S+$/gm;

/**
 * A go.mod whose replacements by folders of its own repository, which are not published with it, lead to what
 * is: a folder for the modules that have one, and else the version of all the others.
 */
export function publishedReplacements(
  goMod: string,
  version: string,
  folders: Readonly<Record<string, string>>,
): string {
  const replaced = new Set<string>();
  const text = goMod.replaceAll(STAGING, (_, begin: string, module: string) => {
    replaced.add(module);
    return begin + (folders[module] ?? `${module} ${version}`);
  });
  const missing = Object.keys(folders).filter((module) => !replaced.has(module));
  if (replaced.size === 0 || missing.length > 0) {
    const what = missing.length > 0 ? missing.join(", ") : "any module";
    throw new TextEditError(
      `go.mod: expected a replacement of ${what} by ./staging/src/..., got none`,
    );
  }
  return text;
}
