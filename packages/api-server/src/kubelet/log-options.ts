import {
  ApiError,
  FieldError,
  FieldPath,
  parseTime,
  printTime,
  TimeError,
} from "@homeostat/object-model";
import type { Query } from "../http/query.ts";

/** What a client wants of a log. */
export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly insecureSkipTLSVerifyBackend: boolean;
  /** The parameters for the kubelet, escaped, in the order of their names. */
  readonly parameters: string;
}

/** Reads and checks the parameters of a log; `name` is the pod's. */
export function readLogOptions(query: Query, name: string): LogOptions {
  const follow = query.flag("follow") ?? false;
  const previous = query.flag("previous") ?? false;
  const timestamps = query.flag("timestamps") ?? false;
  const sinceSeconds = query.integer("sinceSeconds");
  const tailLines = query.integer("tailLines");
  const limitBytes = query.integer("limitBytes");
  const sinceTime = readTime(query);
  const errors = check({
    sinceSeconds,
    tailLines,
    limitBytes,
    hasTime: sinceTime !== undefined,
    hasStream: query.has("stream"),
  });
  if (errors.length > 0) {
    throw ApiError.invalid({ group: "", kind: "PodLogOptions" }, name, errors);
  }
  const parameters = new URLSearchParams();
  if (follow) parameters.set("follow", "true");
  if (limitBytes !== undefined) parameters.set("limitBytes", String(limitBytes));
  if (previous) parameters.set("previous", "true");
  if (sinceSeconds !== undefined) parameters.set("sinceSeconds", String(sinceSeconds));
  if (sinceTime !== undefined) parameters.set("sinceTime", sinceTime);
  if (tailLines !== undefined) parameters.set("tailLines", String(tailLines));
  if (timestamps) parameters.set("timestamps", "true");
  return {
    container: query.get("container"),
    follow,
    insecureSkipTLSVerifyBackend: query.flag("insecureSkipTLSVerifyBackend") ?? false,
    parameters: parameters.toString(),
  };
}

/** As Go prints it again; none for an empty one, and for Go's zero time. */
function readTime(query: Query): string | undefined {
  const text = query.get("sinceTime");
  if (text === "" || text === "null") return undefined;
  try {
    return printTime(parseTime(text)) ?? undefined;
  } catch (error) {
    if (error instanceof TimeError) throw ApiError.badRequest(error.message);
    throw error;
  }
}

interface Limits {
  readonly sinceSeconds: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly hasTime: boolean;
  readonly hasStream: boolean;
}

function check({ sinceSeconds, tailLines, limitBytes, hasTime, hasStream }: Limits): FieldError[] {
  const errors: FieldError[] = [];
  const invalid = (field: string, value: number, what: string): void => {
    errors.push(FieldError.invalid(FieldPath.of(field), value, what));
  };
  if (tailLines !== undefined && tailLines < 0) {
    invalid("tailLines", tailLines, "must be greater than or equal to 0");
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    invalid("limitBytes", limitBytes, "must be greater than 0");
  }
  if (sinceSeconds !== undefined && hasTime) {
    const why = "at most one of `sinceTime` or `sinceSeconds` may be specified";
    // Kubernetes has no field for it, and prints that so.
    errors.push(FieldError.forbidden(FieldPath.of("[]"), why));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    invalid("sinceSeconds", sinceSeconds, "must be greater than 0");
  }
  if (hasStream) errors.push(FieldError.forbidden(FieldPath.of("stream"), "may not be specified"));
  return errors;
}
