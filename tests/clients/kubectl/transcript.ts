/**
 * A transcript is a shell session as text: commands after `$ ` (continued by `> `), each followed by
 * what it printed, output and errors in the order in which they came, and by `[exit N]` unless that is
 * 0. Lines of `#: ` are remarks. Where another version of kubectl prints something else for the same
 * answers of a server, `[kubectl 1.32]` begins what that one prints.
 */

export interface Step {
  readonly remarks: readonly string[];
  /** For `sh -c`; several lines make a here-document. */
  readonly command: string;
  /** What the newest version prints that it was recorded with. */
  readonly printed: string;
  /** By minor version ("1.32"): what those print that print something else. */
  readonly otherwise: ReadonlyMap<string, string>;
}

const COMMAND = "$ ";
const CONTINUED = "> ";
const REMARK = "#: ";
const OTHERWISE = /^\[kubectl (\d+\.\d+)\]$/;

interface OpenStep {
  readonly remarks: readonly string[];
  readonly command: string[];
  readonly outputs: Map<string, string[]>;
}

export function parseTranscript(text: string): readonly Step[] {
  const steps: OpenStep[] = [];
  let remarks: string[] = [];
  let output: string[] | undefined;
  for (const line of text.split("\n")) {
    const open = steps.at(-1);
    const version = OTHERWISE.exec(line)?.[1];
    if (line.startsWith(REMARK)) {
      remarks.push(line.slice(REMARK.length));
    } else if (line.startsWith(COMMAND)) {
      output = [];
      const command = [line.slice(COMMAND.length)];
      steps.push({ remarks, command, outputs: new Map([["", output]]) });
      remarks = [];
    } else if (line.startsWith(CONTINUED) && open?.outputs.size === 1 && output!.length === 0) {
      open.command.push(line.slice(CONTINUED.length));
    } else if (version !== undefined && open !== undefined) {
      output = [];
      open.outputs.set(version, output);
    } else {
      output?.push(line);
    }
  }
  return steps.map(closeStep);
}

function closeStep({ remarks, command, outputs }: OpenStep): Step {
  const otherwise = new Map<string, string>();
  for (const [version, lines] of outputs) otherwise.set(version, trimBlank(lines.join("\n")));
  const printed = otherwise.get("")!;
  otherwise.delete("");
  return { remarks, command: command.join("\n"), printed, otherwise };
}

export function printTranscript(steps: readonly Step[]): string {
  return `${steps.map(printStep).join("\n\n")}\n`;
}

function printStep({ remarks, command, printed, otherwise }: Step): string {
  const [first = "", ...more] = command.split("\n");
  const lines = remarks.map((each) => REMARK + each);
  lines.push(COMMAND + first, ...more.map((each) => CONTINUED + each));
  if (printed !== "") lines.push(printed);
  for (const [version, other] of otherwise) lines.push(`[kubectl ${version}]`, other);
  return lines.join("\n");
}

/** What kubectl of this version is expected to print; of a version never recorded, one of these. */
export function expectedOf(step: Step, minorVersion: string, known: boolean): readonly string[] {
  const other = step.otherwise.get(minorVersion);
  if (other !== undefined) return [other];
  return known ? [step.printed] : [step.printed, ...step.otherwise.values()];
}

/** Blank lines around an output are lost between the commands; those inside are kept. */
export function trimBlank(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
