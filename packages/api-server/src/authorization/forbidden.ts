import { ApiError, goQuote } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { AccessAttributes } from "./authorizer.ts";

/** The refusal of what was asked; `reason` is the authorizer's. */
export function forbidden(user: UserInfo, asked: AccessAttributes, reason: string): ApiError {
  const said = sanitize(messageOf(user, asked));
  const why = reason === "" ? said : `${said}: ${reason}`;
  if (asked.kind === "path") return ApiError.forbidden({ group: "", resource: "" }, "", why);
  const { group, resource, name } = asked;
  return ApiError.forbidden({ group, resource }, name, why);
}

function messageOf({ username = "" }: UserInfo, asked: AccessAttributes): string {
  const who = `User ${goQuote(username)} cannot ${asked.verb}`;
  if (asked.kind === "path") return `${who} path ${goQuote(asked.path)}`;
  const { group, resource, subresource, namespace } = asked;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where =
    namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${goQuote(what)} in API group ${goQuote(group)} ${where}`;
}

/** Nothing a client sent may come back as HTML. */
function sanitize(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
