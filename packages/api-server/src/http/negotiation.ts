import { ApiError } from "@homeostat/object-model";

/** The forms an answer can take; which one, the client's Accept header says. */
export type MediaType = "application/json" | "application/yaml";

const SERVED = new Set(["application/json", "application/yaml"]);
const OFFERED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const STREAMS = [
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
];
const OFFERED_LISTS = `${OFFERED}, ${STREAMS.join(", ")}`;

/** The first media type of the header that can be served; the one named first. */
export function negotiate(
  accept: string | undefined,
  what: "custom" | "list" | "object" | "watch",
): MediaType {
  if (accept === undefined || accept === "" || accept === "*/*" || accept === "application/json") {
    return "application/json";
  }
  let special = false;
  for (const range of accept.split(",").map(parseRange)) {
    if (range.type === "*/*") return "application/json";
    if (!SERVED.has(range.type)) continue;
    // Tables and partial objects are other forms of the answer, not served here.
    if (!range.special) {
      if (what === "watch" && range.type !== "application/json")
        throw ApiError.notAcceptable(STREAMS);
      return range.type as MediaType;
    }
    special = true;
  }
  // Custom resources have no routes of their own, which would refuse before anybody is asked.
  if (special || what === "custom") throw ApiError.notAcceptable(OFFERED.split(", "));
  const offered = what === "object" ? OFFERED : OFFERED_LISTS;
  throw new ApiError({
    reason: "NotAcceptable",
    message: `406: Not Acceptable\n\nAvailable representations: ${offered}`,
    details: {},
  });
}

/** Weights do not count, as kube-apiserver has it: the order in the header decides. */
function parseRange(text: string): { type: string; special: boolean } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  return { type, special: parameters.some((each) => each.startsWith("as=")) };
}
