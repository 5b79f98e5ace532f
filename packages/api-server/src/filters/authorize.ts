/** Who may do what. Until roles exist: system:masters may do everything, others read what is public. */
import { ApiError } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { RequestInfo } from "../http/request-info.ts";

const PUBLIC = /^\/(healthz|livez|readyz|version)(\/.*)?$/;

export function isAuthorized(user: UserInfo, info: RequestInfo): boolean {
  if (user.groups?.includes("system:masters") === true) return true;
  return info.kind === "path" && PUBLIC.test(info.path);
}

export function forbid(user: UserInfo, info: RequestInfo, verb: string): ApiError {
  const who = `User ${JSON.stringify(user.username ?? "")} cannot`;
  if (info.kind !== "resource") {
    const path = info.kind === "path" ? info.path : "";
    return ApiError.forbidden(
      { group: "", resource: "" },
      "",
      `${who} ${verb} path ${JSON.stringify(path)}`,
    );
  }
  const { group, resource, subresource, namespace, name } = info;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where =
    namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `${who} ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
  return ApiError.forbidden({ group, resource }, name, why);
}

export const ANONYMOUS: UserInfo = {
  username: "system:anonymous",
  groups: ["system:unauthenticated"],
};
