/** Names of time zones. */
import { timeZoneNames } from "../generated/time-zones.ts";

const PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

let known: ReadonlySet<string> | undefined;

/** What is wrong with the name of a zone, in Go's words. */
export function timeZoneProblems(name: string): string[] {
  if (name === "") return ["timeZone must be nil or non-empty string"];
  const isWrong = (part: string): boolean =>
    part === "." || part === ".." || part.startsWith("-") || !PART.test(part);
  if (name.split("/").some(isWrong)) return [`unknown time zone ${name}`];
  const problems: string[] = [];
  if (name.toLowerCase() === "local") {
    problems.push(
      "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones",
    );
  }
  const problem = locationProblem(name);
  if (problem !== undefined) problems.push(problem);
  return problems;
}

/** What Go says of a location it cannot load. */
export function locationProblem(name: string): string | undefined {
  if (name === "" || name === "Local") return undefined;
  if (name.includes("..") || name.startsWith("/") || name.startsWith("\\")) {
    return "time: invalid location name";
  }
  known ??= readNames();
  return known.has(name) ? undefined : `unknown time zone ${name}`;
}

function readNames(): ReadonlySet<string> {
  return new Set(
    timeZoneNames.split("\n").flatMap((line) => {
      const [area = "", names = ""] = line.split(": ");
      const prefix = area === "" || area === ":" ? "" : `${area}/`;
      return names.split(" ").map((name) => prefix + name);
    }),
  );
}
