// Building a program of a published Go module needs a module around it: Go ignores the replace
// lines of a dependency, so the wrapper repeats the ones that matter.
import type { ModuleSource } from "./catalog.ts";

/** What the wrapper needs of the module's own go.mod, as `go mod edit -json` prints it. */
export interface UpstreamModule {
  readonly Go?: string;
  readonly Godebug?: readonly { readonly Key: string; readonly Value: string }[] | null;
  readonly Replace?:
    | readonly {
        readonly Old: { readonly Path: string };
        readonly New: { readonly Path: string; readonly Version?: string };
      }[]
    | null;
}

/** The text of the wrapper's go.mod. */
export function wrapperModule(
  name: string,
  source: ModuleSource,
  upstream: UpstreamModule,
): string {
  const sections = [`module homeostat/assets/${name}`];
  if (upstream.Go) sections.push(`go ${upstream.Go}`);
  sections.push(block("godebug", godebugLines(upstream)));
  sections.push(`require ${source.module} ${source.moduleVersion}`);
  if (source.stagingVersion !== undefined) {
    sections.push(block("replace", stagingLines(upstream, source.stagingVersion)));
  }
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function godebugLines(upstream: UpstreamModule): string[] {
  return (upstream.Godebug ?? []).map((each) => `${each.Key}=${each.Value}`);
}

/** A replacement without a version is a folder of the module's own repository. */
function stagingLines(upstream: UpstreamModule, version: string): string[] {
  return (upstream.Replace ?? [])
    .filter((each) => each.New.Version === undefined)
    .map((each) => `${each.Old.Path} => ${each.Old.Path} ${version}`);
}

function block(keyword: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${keyword} (\n${lines.map((line) => `\t${line}\n`).join("")})`;
}
