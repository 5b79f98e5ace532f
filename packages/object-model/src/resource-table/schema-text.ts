/**
 * The text format of the generated schema table, and the way into it. One text per package of
 * message types, one paragraph per message, one line per field, in Go struct order:
 *
 *     Container
 *     name 1 string required default
 *     ports 6 []ContainerPort list=map:containerPort,protocol patch=merge key=containerPort
 *     resources 8 ResourceRequirements default
 *     restartPolicy 24 string pointer
 *
 * A field is JSON name, protobuf number, type, then the rules that hold. Types: a scalar, a message
 * of the same package (`Probe`) or of another (`meta.v1.ObjectMeta`); `[]` before it for a list,
 * `{}` for a map with string keys. The name `*` stands for an embedded struct: a message of its own
 * on the wire, its fields in place in JSON. `default` alone is the zero value of the type. Rules may
 * follow a message's name too (`kind`, `form=time`, `map=atomic`, `union=...`). Text, and not JSON,
 * because it is smaller, reads and diffs well, and one message is found and decoded
 * without touching the others. scripts/generate/print-schemas.ts writes it; the two change together.
 */

import type { GroupVersion } from "../group-version-kind.ts";

export interface SchemaPackage {
  /** `core.v1`; the first part of the names of its schemas. */
  readonly name: string;
  /** `io.k8s.api.core.v1`. */
  readonly openApiPackage: string;
  /** Absent for packages whose messages are no kinds, or kinds of several group-versions. */
  readonly groupVersion?: GroupVersion;
  /** Every paragraph is preceded by an empty line, also the first; the text ends with its line. */
  readonly text: string;
}

/** Where each message's paragraph begins; the text itself stays whole until a message is wanted. */
export function indexParagraphs(text: string): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n", at + 2)) {
    const begin = at + 2;
    const lineEnd = text.indexOf("\n", begin);
    const head = text.slice(begin, lineEnd);
    const space = head.indexOf(" ");
    index.set(space < 0 ? head : head.slice(0, space), begin);
  }
  return index;
}

/** The lines of the paragraph that begins there. */
export function linesAt(text: string, begin: number): readonly string[] {
  const end = text.indexOf("\n\n", begin);
  return text.slice(begin, end < 0 ? text.length - 1 : end).split("\n");
}

/** A rule's words: `list=map:name` -> `["list", "map:name"]`; the value of a bare word is `""`. */
export function splitRule(word: string): readonly [name: string, value: string] {
  const split = word.indexOf("=");
  return split < 0 ? [word, ""] : [word.slice(0, split), word.slice(split + 1)];
}
