/** Who asks, and in whose name (section 1: authentication, impersonation, tokens). */
import type { JsonObject } from "@homeostat/object-model";
import {
  as,
  del,
  get,
  post,
  put,
  type RequestStep,
  raw,
  type Scenario,
  scenario,
} from "../scenario.ts";

const account = (name: string): RequestStep => post("serviceaccounts", { metadata: { name } });
const token = (object: JsonObject, query: Record<string, string> = {}): RequestStep =>
  post("serviceaccounts/a/token", object, { query });
const bound = (boundObjectRef: JsonObject): RequestStep =>
  token({ spec: { audiences: ["x"], boundObjectRef } });
const review = (spec: JsonObject): RequestStep => post("tokenreviews", { spec });
const whoAmI = (headers: Record<string, string>): RequestStep =>
  post("selfsubjectreviews", {}, { headers });
const readAs = (place: string, headers: Record<string, string>): RequestStep =>
  get(place, { headers });
const user = (name: string): Record<string, string> => ({ "impersonate-user": name });

export const authentication: readonly Scenario[] = [
  scenario(
    "who I am, as another",
    whoAmI(user("bob")),
    whoAmI(user("system:anonymous")),
    whoAmI(user("system:node:n")),
    whoAmI(user("system:serviceaccount:${ns}:a")),
    whoAmI(user("system:serviceaccount:${ns}:a:b")),
    whoAmI({ ...user("bob"), "impersonate-group": "dev", "impersonate-uid": "7" }),
    whoAmI({ ...user("bob"), "impersonate-group": "system:unauthenticated" }),
    whoAmI({ ...user("system:serviceaccount:${ns}:a"), "impersonate-group": "dev" }),
    whoAmI({ ...user("bob"), "impersonate-extra-acme.com%2fscope": "one" }),
    whoAmI({ ...user("bob"), "impersonate-extra-a%zz": "one" }),
    whoAmI({ "impersonate-user": "" }),
  ),
  scenario(
    "impersonating nobody",
    whoAmI({ "impersonate-group": "dev" }),
    whoAmI({ "impersonate-uid": "7" }),
    whoAmI({ "impersonate-extra-scope": "one" }),
    readAs("/version", { "impersonate-group": "" }),
  ),
  scenario(
    "what the impersonated may, and no more",
    readAs("configmaps", user("bob")),
    readAs("configmaps/a", user("bob")),
    readAs("/healthz", user("bob")),
    readAs("/logs", user("bob")),
    post("configmaps", { metadata: { name: "a" } }, { headers: user("bob") }),
    del("configmaps/a", undefined, { headers: user("bob") }),
    readAs("configmaps", { ...user("bob"), "impersonate-group": "system:masters" }),
  ),
  scenario(
    "token requests that are refused",
    account("a"),
    token({ spec: { audiences: ["x"], expirationSeconds: 599 } }),
    token({ spec: { audiences: ["x"], expirationSeconds: 4294967297 } }),
    token({ metadata: { name: "b" }, spec: { audiences: ["x"] } }),
    token({ metadata: { namespace: "b" }, spec: { audiences: ["x"] } }),
    token({ metadata: { uid: "b" }, spec: { audiences: ["x"] } }),
    token({ spec: { audiences: "x" } }),
    token({ kind: "Pod", apiVersion: "v1" }),
    token({ spec: { audiences: ["x"], zzz: 1 } }, { fieldValidation: "Strict" }),
    bound({ kind: "Pod", apiVersion: "v1", name: "none" }),
    bound({ kind: "Node", apiVersion: "v1", name: "none" }),
    bound({ kind: "Secret", apiVersion: "v1", name: "none" }),
    bound({ kind: "ConfigMap", apiVersion: "v1", name: "none" }),
    bound({ kind: "Deployment", apiVersion: "apps/v1", name: "none" }),
    bound({ kind: "Pod", apiVersion: "a/b/c", name: "none" }),
    post("secrets", { metadata: { name: "s" } }),
    bound({ kind: "Secret", apiVersion: "v1", name: "s", uid: "x" }),
    post("serviceaccounts/none/token", { spec: { audiences: ["x"] } }),
    get("serviceaccounts/a/token"),
    put("serviceaccounts/a/token", { spec: { audiences: ["x"] } }),
  ),
  scenario(
    "tokens and what they are worth",
    account("a"),
    as("made", token({ spec: { audiences: ["x", "y"] } })),
    review({ token: "${made:status.token}", audiences: ["y", "z", "x"] }),
    review({ token: "${made:status.token}", audiences: ["z"] }),
    review({ token: "${made:status.token}AAAA", audiences: ["x"] }),
    post("secrets", { metadata: { name: "s" } }),
    as("bound", bound({ kind: "Secret", apiVersion: "v1", name: "s" })),
    review({ token: "${bound:status.token}", audiences: ["x"] }),
    del("serviceaccounts/a"),
    { action: "pause", milliseconds: 11_000, peerOnly: true },
    review({ token: "${made:status.token}", audiences: ["x"] }),
  ),
  scenario(
    "texts that are no tokens",
    review({}),
    review({ token: "abc" }),
    review({ token: "a.b.c" }),
    review({ token: "abc def" }),
    review({ token: " abc", audiences: ["x"] }),
    review({ token: "abc", audiences: ["x"] }),
  ),
  scenario(
    "discovery of keys",
    raw("POST", "/openid/v1/jwks"),
    raw("POST", "/.well-known/openid-configuration"),
    raw("GET", "/openid/v1"),
    readAs("/openid/v1/jwks", user("bob")),
  ),
];
