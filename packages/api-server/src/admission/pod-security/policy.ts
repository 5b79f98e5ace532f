import { FieldError, FieldPath, ownKey } from "@homeostat/object-model";

const LEVELS = ["privileged", "baseline", "restricted"] as const;
type Level = (typeof LEVELS)[number];

/** Which standard, and as of which minor version; Infinity is the latest. */
export interface LevelVersion {
  readonly level: Level;
  readonly minor: number;
}

/** What pods are refused for, what is noted of them, and what their makers are warned of. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const PREFIX = "pod-security.kubernetes.io/";
const LATEST = Number.POSITIVE_INFINITY;
const CURRENT_MINOR = 36;

type Labels = Readonly<Record<string, string>> | undefined;

/** What the labels of a namespace say. Where they are wrong, the strictest counts for refusing. */
export function policyOf(labels: Labels): { policy: PodSecurityPolicy; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const read = (mode: string, onError: Level): LevelVersion & { given: boolean } => {
    const level = ownKey(labels, `${PREFIX}${mode}`);
    const isGood = level === undefined || isLevel(level);
    if (!isGood) errors.push(wrong(mode, level, `must be one of ${LEVELS.join(", ")}`));
    const version = ownKey(labels, `${PREFIX}${mode}-version`) ?? "latest";
    const minor = minorOf(version);
    if (minor === undefined) {
      errors.push(wrong(`${mode}-version`, version, 'must be "latest" or "v1.x"'));
    }
    return {
      level: level === undefined ? "privileged" : isLevel(level) ? level : onError,
      minor: minor ?? LATEST,
      given: level !== undefined && isGood,
    };
  };
  const { given, ...enforce } = read("enforce", "restricted");
  const { given: _, ...audit } = read("audit", "privileged");
  const { given: __, ...warn } = read("warn", "privileged");
  // Who is refused pods is warned of workloads that would make such.
  const follows = given && !hasLabel(labels, "warn") && enforce.level !== "privileged";
  const minor = hasLabel(labels, "warn-version") ? warn.minor : enforce.minor;
  const warned = follows ? { level: enforce.level, minor } : warn;
  return { policy: { enforce, audit, warn: warned }, errors };
}

export function printLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? "latest" : `v1.${minor}`}`;
}

/** The version as figures tell it: one that is still to come is not told apart from others. */
export function countedVersion({ level, minor }: LevelVersion): string {
  if (minor === LATEST || level === "privileged") return "latest";
  return minor > CURRENT_MINOR ? "future" : `v1.${minor}`;
}

export function isSameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

export function isStricter(a: LevelVersion, b: LevelVersion): boolean {
  return LEVELS.indexOf(a.level) > LEVELS.indexOf(b.level);
}

function hasLabel(labels: Labels, name: string): boolean {
  return ownKey(labels, `${PREFIX}${name}`) !== undefined;
}

function isLevel(text: string): text is Level {
  return LEVELS.some((level) => level === text);
}

function minorOf(version: string): number | undefined {
  if (version === "latest") return LATEST;
  const [, minor] = /^v1\.(0|[1-9][0-9]*)$/.exec(version) ?? [];
  return minor === undefined || !Number.isSafeInteger(Number(minor)) ? undefined : Number(minor);
}

function wrong(label: string, value: string, why: string): FieldError {
  return FieldError.invalid(
    FieldPath.of("metadata", "labels").key(`${PREFIX}${label}`),
    value,
    why,
  );
}
