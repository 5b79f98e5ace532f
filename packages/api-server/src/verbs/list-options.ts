import {
  ApiError,
  FieldError,
  FieldPath,
  FieldSelector,
  LabelSelector,
} from "@homeostat/object-model";
import type { Query } from "../http/query.ts";
import type { ServedResource, StoredKind } from "../registry/served-resource.ts";
import { isUnsigned, unsignedProblem } from "../registry/unsigned-text.ts";
import { type FieldLabel, resolveFieldLabel } from "../resources/field-labels.ts";

/** What list, watch and deletecollection ask for. */
export interface ListOptions {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken: string;
  /** "" when not given. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: "" | "Exact" | "NotOlderThan";
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const LIST_OPTIONS = { group: "meta.k8s.io", kind: "ListOptions" };

/** Reads and checks the parameters; refusals are kube-apiserver's. */
export function readListOptions(
  query: Query,
  served: ServedResource,
  { watch }: { readonly watch: boolean },
): ListOptions {
  const options = {
    labels: parseLabels(query.get("labelSelector")),
    fields: parseFields(query.get("fieldSelector")),
    limit: query.integer("limit") ?? 0,
    continueToken: query.get("continue"),
    resourceVersion: query.get("resourceVersion"),
    resourceVersionMatch: query.get("resourceVersionMatch"),
    timeoutSeconds: query.integer("timeoutSeconds"),
    allowWatchBookmarks: query.flag("allowWatchBookmarks") ?? false,
    sendInitialEvents: query.flag("sendInitialEvents"),
  };
  const errors = watch ? checkWatch(options) : checkList(options);
  if (errors.length > 0) throw ApiError.invalid(LIST_OPTIONS, "", errors);
  const fields = resolveFields(options.fields, served);
  // Whether a version may be named with a token is decided where the token is read.
  if (!isUnsigned(options.resourceVersion) && (watch || options.continueToken === "")) {
    const error = invalidResourceVersion(options.resourceVersion);
    throw watch ? error : ApiError.badRequest(`invalid resource version: ${error.message}`);
  }
  return { ...options, fields } as ListOptions;
}

type UncheckedOptions = Omit<ListOptions, "resourceVersionMatch"> & {
  readonly resourceVersionMatch: string;
};

const MATCH = FieldPath.of("resourceVersionMatch");
const INITIAL = FieldPath.of("sendInitialEvents");

function checkList(options: UncheckedOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match, continueToken } = options;
  const errors: FieldError[] = [];
  if (match !== "") {
    if (resourceVersion === "") {
      const detail = "resourceVersionMatch is forbidden unless resourceVersion is provided";
      errors.push(FieldError.forbidden(MATCH, detail));
    }
    if (continueToken !== "") {
      const detail = "resourceVersionMatch is forbidden when continue is provided";
      errors.push(FieldError.forbidden(MATCH, detail));
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(FieldError.notSupported(MATCH, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      const detail = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
      errors.push(FieldError.forbidden(MATCH, detail));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(FieldError.forbidden(INITIAL, "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function checkWatch(options: UncheckedOptions): FieldError[] {
  const { sendInitialEvents, match } = withImpliedStart(options);
  const errors: FieldError[] = [];
  const forbid = (detail: string): void => void errors.push(FieldError.forbidden(MATCH, detail));
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (match === "") return errors;
  if (sendInitialEvents === undefined) {
    forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (match !== "NotOlderThan")
    errors.push(FieldError.notSupported(MATCH, match, ["NotOlderThan"]));
  if (options.continueToken !== "") {
    forbid("resourceVersionMatch is forbidden when continue is provided");
  }
  return errors;
}

/** A watch from no version, or from any, begins with what there is, as if it had asked for that. */
function withImpliedStart({
  sendInitialEvents,
  resourceVersionMatch: match,
  resourceVersion,
}: UncheckedOptions): { sendInitialEvents: boolean | undefined; match: string } {
  const isPlain = sendInitialEvents === undefined && match === "";
  if (!isPlain || (resourceVersion !== "" && resourceVersion !== "0"))
    return { sendInitialEvents, match };
  return { sendInitialEvents: true, match: "NotOlderThan" };
}

export function invalidResourceVersion(version: string): ApiError {
  const detail = unsignedProblem(version);
  const error = FieldError.invalid(FieldPath.of("resourceVersion"), version, detail);
  return new ApiError({ message: String(error), httpStatus: 500 });
}

function parseLabels(text: string): LabelSelector {
  if (text === "") return LabelSelector.everything;
  try {
    return LabelSelector.parse(text);
  } catch (error) {
    throw ApiError.badRequest((error as Error).message);
  }
}

function parseFields(text: string): FieldSelector {
  if (text === "") return FieldSelector.everything;
  try {
    return FieldSelector.parse(text);
  } catch (error) {
    throw ApiError.badRequest((error as Error).message);
  }
}

function customFieldLabel({ namespaced, fieldNames }: StoredKind, label: string): FieldLabel {
  const isKnown =
    label === "metadata.name" ||
    (namespaced && label === "metadata.namespace") ||
    fieldNames.includes(label);
  return isKnown ? { field: label } : { problem: `field label not supported: ${label}` };
}

/** The fields by the names they are kept under; one that the kind does not have is refused. */
function resolveFields(selector: FieldSelector, served: ServedResource): FieldSelector {
  const { group, version, plural } = served.definition;
  const { custom, stored } = served;
  return selector.transform((label, value) => {
    const resolved =
      custom === undefined
        ? resolveFieldLabel({ group, version, resource: plural }, label)
        : customFieldLabel(stored, label);
    if ("problem" in resolved) throw ApiError.badRequest(resolved.problem);
    return { field: resolved.field, value };
  });
}
