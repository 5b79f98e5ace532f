/** The error lines in the log of a Kubernetes program, and which of them another run has not. Pure. */

/** klog: severity, month and day, time, thread, file:line] message. */
const LINE = /^([EF])\d{4} [\d:.]+\s+\d+ ([\w.-]+\.go:\d+)\] (.*)$/;

/** What differs between runs without meaning anything, in this order. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/ event="&Event\{.*$/, " EVENT"],
  [/\.[0-9a-f]{16}\b/g, ".EVENT"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID"],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4} \w+)?(?: m=\+[\d.]+)?/g, "TIME"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, "ADDRESS"],
  // What a story made in a namespace of its own, the namespace, and what was made of that.
  [/\b[a-z]+-\d+\/[\w.-]+/g, "OBJECT"],
  [/\b([a-z]+)-\d+\b/g, "$1-N"],
  [/\b([a-z]+)(?:-\d+|-[bcdf-hj-np-tv-z2456789]{7,10})?-[bcdf-hj-np-tv-z2456789]{5}\b/g, "$1-X"],
  [/\b([a-z]+)-[bcdf-hj-np-tv-z2456789]{7,10}\b/g, "$1-X"],
  [/\b\d+(?:\.\d+)?(?:ms|us|µs|s|m)\b/g, "DURATION"],
  // How much of a quota is used.
  [/\b(pods|services)=\d+\b/g, "$1=N"],
  [/\b\d{2,}\b/g, "N"],
];

/**
 * Errors that tell only that two clients met: whether a run has one at a certain line of a program is
 * chance. Each is an answer that kube-apiserver gives in the same words.
 */
const MEETINGS: readonly RegExp[] = [
  /Operation cannot be fulfilled on [\w.]+ \\?"[^"]+": the object has been modified/,
  /Operation cannot be fulfilled on [\w.]+ \\?"[^"]+": StorageError: invalid object/,
  /because it is being terminated/,
  /namespaces \\?"[^"]+" not found/,
  /unexpected items still remain in namespace/,
  /read version: N is not as new as written version: N/,
];

export interface LogError {
  /** Without what differs from run to run. */
  readonly shape: string;
  readonly count: number;
  /** The first such line, as it is. */
  readonly line: string;
}

/** One entry for each shape, the most frequent first. A crash counts as an error. */
export function logErrors(log: string): LogError[] {
  const found = new Map<string, { count: number; line: string }>();
  for (const line of log.split("\n")) {
    const shape = errorShape(line);
    if (shape === undefined) continue;
    const known = found.get(shape) ?? { count: 0, line };
    found.set(shape, { count: known.count + 1, line: known.line });
  }
  return [...found]
    .map(([shape, { count, line }]) => ({ shape, count, line }))
    .sort((a, b) => b.count - a.count);
}

export function errorShape(line: string): string | undefined {
  if (/^(?:panic|fatal error): /.test(line)) return line;
  const [, , place, message] = LINE.exec(line) ?? [];
  if (place === undefined || message === undefined) return undefined;
  return `${place} ${MASKS.reduce((text, [mask, shown]) => text.replace(mask, shown), message)}`;
}

/** What one program logs and the other does not. */
export interface LogComparison {
  readonly unknown: readonly LogError[];
  /** That two clients met where they did not in the other run. */
  readonly meetings: readonly LogError[];
}

export function compareErrors(
  ours: readonly LogError[],
  theirs: readonly LogError[],
): LogComparison {
  const known = new Set(theirs.map(({ shape }) => shape));
  const fresh = ours.filter(({ shape }) => !known.has(shape));
  const isMeeting = ({ shape }: LogError): boolean => MEETINGS.some((each) => each.test(shape));
  return {
    unknown: fresh.filter((each) => !isMeeting(each)),
    meetings: fresh.filter(isMeeting),
  };
}
