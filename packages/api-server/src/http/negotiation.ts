import { ApiError } from "@homeostat/object-model";
import type { Payload } from "../answers/answer.ts";

/** The forms an answer can take; which one, the client's Accept header says. */
export type MediaType = "application/json" | "application/yaml";

const SERVED = ["application/json", "application/yaml"];
const OFFERED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const OFFERED_LISTS = `${OFFERED}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`;

/** The first media type of the header that can be served; of equals the one named first. */
export function negotiate(accept: string | undefined, payload: Pick<Payload, "kind">): MediaType {
  if (payload.kind === "text") return "application/json";
  if (accept === undefined || accept === "" || accept === "*/*" || accept === "application/json") {
    return "application/json";
  }
  const wanted = accept
    .split(",")
    .map(parseRange)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { type, special } of wanted) {
    // Tables and partial objects are other forms of the answer, not served here.
    if (special) continue;
    if (type === "*/*" || type === "application/*") return "application/json";
    if (SERVED.includes(type)) return type as MediaType;
  }
  const offered = payload.kind === "object" ? OFFERED : OFFERED_LISTS;
  throw new ApiError({
    reason: "NotAcceptable",
    message: `406: Not Acceptable\n\nAvailable representations: ${offered}`,
    details: {},
  });
}

function parseRange(text: string): { type: string; weight: number; special: boolean } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((each) => each.startsWith("q="));
  const weight = quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  const special = parameters.some((each) => each.startsWith("as="));
  return { type, weight, special };
}
