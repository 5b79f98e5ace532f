import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { apiErrorOfHttp } from "./api-error-of-http.ts";
import { FieldError } from "./field-error.ts";
import { FieldPath } from "./field-path.ts";
import { successStatus } from "./status.ts";
import { isStatusReason, STATUS_REASONS, type StatusReason } from "./status-reason.ts";

const deployments = { group: "apps", resource: "deployments" };
const configMaps = { group: "", resource: "configmaps" };
const nothing = { group: "", resource: "" };
const spec = FieldPath.of("spec");

/** Every maker, with the body kube-apiserver would send, without what all bodies share. */
const BODIES: readonly (readonly [ApiError, string])[] = [
  [ApiError.badRequest("b"), '"message":"b","reason":"BadRequest","code":400'],
  [ApiError.unauthorized(), '"message":"not authorized","reason":"Unauthorized","code":401'],
  [
    ApiError.unauthorized("Unauthorized"),
    '"message":"Unauthorized","reason":"Unauthorized","code":401',
  ],
  [
    ApiError.forbidden(deployments, "x", "no"),
    '"message":"deployments.apps \\"x\\" is forbidden: no","reason":"Forbidden","details":{"name":"x","group":"apps","kind":"deployments"},"code":403',
  ],
  [
    ApiError.forbidden(deployments, "", "no"),
    '"message":"deployments.apps is forbidden: no","reason":"Forbidden","details":{"group":"apps","kind":"deployments"},"code":403',
  ],
  [
    ApiError.forbidden(nothing, "", "no"),
    '"message":"forbidden: no","reason":"Forbidden","details":{},"code":403',
  ],
  [
    ApiError.notFound(configMaps, "a"),
    '"message":"configmaps \\"a\\" not found","reason":"NotFound","details":{"name":"a","kind":"configmaps"},"code":404',
  ],
  [
    ApiError.methodNotAllowed(deployments, "delete"),
    '"message":"delete is not supported on resources of kind \\"deployments.apps\\"","reason":"MethodNotAllowed","details":{"group":"apps","kind":"deployments"},"code":405',
  ],
  [
    ApiError.notAcceptable(["application/json", "application/yaml"]),
    '"message":"only the following media types are accepted: application/json, application/yaml","reason":"NotAcceptable","code":406',
  ],
  [
    ApiError.alreadyExists(deployments, "x"),
    '"message":"deployments.apps \\"x\\" already exists","reason":"AlreadyExists","details":{"name":"x","group":"apps","kind":"deployments"},"code":409',
  ],
  [
    ApiError.generateNameConflict(configMaps, "x-"),
    '"message":"configmaps \\"x-\\" already exists, the server was not able to generate a unique name for the object","reason":"AlreadyExists","details":{"name":"x-","kind":"configmaps","retryAfterSeconds":1},"code":409',
  ],
  [
    ApiError.conflict(deployments, "x"),
    '"message":"Operation cannot be fulfilled on deployments.apps \\"x\\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","details":{"name":"x","group":"apps","kind":"deployments"},"code":409',
  ],
  [
    ApiError.applyConflict("Apply failed", [
      { reason: "FieldManagerConflict", message: "m", field: ".f" },
    ]),
    '"message":"Apply failed","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"m","field":".f"}]},"code":409',
  ],
  [ApiError.gone("g"), '"message":"g","reason":"Gone","code":410'],
  [ApiError.expired("e"), '"message":"e","reason":"Expired","code":410'],
  [
    ApiError.requestEntityTooLarge("limit is 3145728"),
    '"message":"Request entity too large: limit is 3145728","reason":"RequestEntityTooLarge","code":413',
  ],
  [
    ApiError.unsupportedMediaType(["application/json"]),
    '"message":"the body of the request was in an unknown format - accepted media types include: application/json","reason":"UnsupportedMediaType","code":415',
  ],
  [
    ApiError.invalid({ group: "", kind: "ConfigMap" }, "a", []),
    '"message":"ConfigMap \\"a\\" is invalid","reason":"Invalid","details":{"name":"a","kind":"ConfigMap"},"code":422',
  ],
  [
    ApiError.invalid({ group: "apps", kind: "Deployment" }, "a", [
      FieldError.invalid(spec.child("n").index(0), 3, "bad"),
      FieldError.required(spec),
      FieldError.required(spec),
    ]),
    '"message":"Deployment.apps \\"a\\" is invalid: [spec.n[0]: Invalid value: 3: bad, spec: Required value]","reason":"Invalid","details":{"name":"a","group":"apps","kind":"Deployment","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: 3: bad","field":"spec.n[0]"},{"reason":"FieldValueRequired","message":"Required value","field":"spec"},{"reason":"FieldValueRequired","message":"Required value","field":"spec"}]},"code":422',
  ],
  [
    ApiError.tooManyRequests("t", 5),
    '"message":"t","reason":"TooManyRequests","details":{"retryAfterSeconds":5},"code":429',
  ],
  [
    ApiError.internalError(new Error("boom")),
    '"message":"Internal error occurred: boom","reason":"InternalError","details":{"causes":[{"message":"boom"}]},"code":500',
  ],
  [
    ApiError.serverTimeout(deployments, "list", 2),
    '"message":"The list operation against deployments.apps could not be completed at this time, please try again.","reason":"ServerTimeout","details":{"name":"list","group":"apps","kind":"deployments","retryAfterSeconds":2},"code":500',
  ],
  [
    ApiError.storageReadError("unreadable"),
    '"message":"unreadable","reason":"StorageReadError","code":500',
  ],
  [ApiError.serviceUnavailable("s"), '"message":"s","reason":"ServiceUnavailable","code":503'],
  [ApiError.timeout("t"), '"message":"Timeout: t","reason":"Timeout","details":{},"code":504'],
  [
    ApiError.tooLargeResourceVersion("10", "5", 1),
    '"message":"Timeout: Too large resource version: 10, current: 5","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504',
  ],
];

test.each(BODIES)("%s has Kubernetes' body", (error, body) => {
  const common = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",';
  expect(JSON.stringify(error.toStatus())).toBe(`${common}${body}}`);
});

test.each(BODIES)("%s is the same when read back by a client", (error) => {
  const back = ApiError.fromStatus(JSON.parse(JSON.stringify(error.toStatus())));
  expect(back?.toStatus()).toEqual(error.toStatus());
  expect(back?.code).toBe(error.code);
  expect(back?.retryable).toBe(error.retryable);
});

test("every reason has a maker, and each maker gives the row of its reason", () => {
  const made = new Set(BODIES.map(([error]) => error.reason));
  expect([...made].sort()).toEqual(Object.keys(STATUS_REASONS).sort());
  for (const [error] of BODIES) {
    const row = STATUS_REASONS[error.reason as StatusReason];
    expect(error).toMatchObject({ code: row.code, httpStatus: row.httpStatus, remedy: row.remedy });
    expect(error.is(error.reason as StatusReason)).toBe(true);
  }
});

test("what was caught is asked for a reason", () => {
  expect(ApiError.is(ApiError.gone("g"), "Gone")).toBe(true);
  expect(ApiError.is(ApiError.gone("g"), "Expired")).toBe(false);
  expect(ApiError.is(new Error("Gone"), "Gone")).toBe(false);
  expect(ApiError.is(undefined, "Gone")).toBe(false);
});

test("an error is retryable by its reason, or because the server says when", () => {
  expect(ApiError.tooManyRequests("t", 5).retryable).toBe(true);
  expect(ApiError.conflict(deployments, "x").retryable).toBe(false);
  expect(ApiError.alreadyExists(configMaps, "x").retryable).toBe(false);
  expect(ApiError.generateNameConflict(configMaps, "x-").retryable).toBe(true);
  expect(ApiError.tooManyRequests("t", 5).retryAfterSeconds).toBe(5);
  expect(ApiError.badRequest("b").retryAfterSeconds).toBeUndefined();
});

test("an expired list can offer a token to go on with", () => {
  const status = ApiError.expired("too old", "token").toStatus();
  expect(status.metadata).toEqual({ continue: "token" });
  expect(ApiError.fromStatus(status)?.continueToken).toBe("token");
});

test("causes can be asked for", () => {
  const error = ApiError.tooLargeResourceVersion("10", "5", 1);
  expect(error.hasCause("ResourceVersionTooLarge")).toBe(true);
  expect(error.hasCause("FieldManagerConflict")).toBe(false);
  expect(ApiError.gone("g").hasCause("")).toBe(false);
});

test("a reason nobody knows is kept, and judged by the HTTP status", () => {
  const body = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Moonphase" };
  const notFound = ApiError.fromStatus({ ...body, code: 404, message: "m" })!;
  expect(notFound).toMatchObject({ reason: "Moonphase", httpStatus: 404, message: "m" });
  expect(notFound.is("NotFound")).toBe(true);
  expect(notFound.toStatus().reason).toBe("Moonphase");
  expect(ApiError.fromStatus({ ...body, code: 409 })?.is("Conflict")).toBe(true);
  expect(ApiError.fromStatus({ ...body, code: 409 })?.is("AlreadyExists")).toBe(false);
  expect(ApiError.fromStatus({ ...body, code: 418 })?.code).toBe("api-unknown");
  expect(ApiError.fromStatus(body, 503)?.is("ServiceUnavailable")).toBe(true);
  expect(ApiError.fromStatus({ ...body, reason: "constructor" })?.httpStatus).toBe(500);
});

test("a Status without a code has that of the answer, or of its reason", () => {
  const body = { kind: "Status", apiVersion: "v1", reason: "NotFound" };
  expect(ApiError.fromStatus(body)?.httpStatus).toBe(404);
  expect(ApiError.fromStatus(body, 400)?.httpStatus).toBe(400);
});

test.each([
  null,
  undefined,
  "Status",
  [],
  {},
  { kind: "Pod", apiVersion: "v1" },
  { kind: "Status", apiVersion: "v2" },
  successStatus({ name: "a", kind: "configmaps", uid: "u" }),
])("%j is no failure", (body) => {
  expect(ApiError.fromStatus(body)).toBeUndefined();
});

test("a Status of rubbish is read without harm", () => {
  const member = fc.oneof(fc.jsonValue(), fc.constant("Failure"), fc.constant("NotFound"));
  const rubbish = fc.dictionary(
    fc.constantFrom("status", "message", "reason", "details", "code", "metadata"),
    fc.oneof(
      member,
      fc.dictionary(fc.constantFrom("name", "causes", "retryAfterSeconds", "continue"), member),
    ),
  );
  fc.assert(
    fc.property(rubbish, (body) => {
      const error = ApiError.fromStatus({ ...body, kind: "Status", apiVersion: "v1" });
      const status = error?.toStatus();
      expect(typeof (status?.message ?? "")).toBe("string");
      expect(Number.isInteger(status?.code ?? 0)).toBe(true);
      for (const cause of status?.details?.causes ?? []) {
        expect(Object.values(cause).every((value) => typeof value === "string")).toBe(true);
      }
    }),
  );
});

test("a deleted object is answered with a Status of success", () => {
  expect(JSON.stringify(successStatus({ kind: "configmaps", uid: "u", name: "a" }))).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","kind":"configmaps","uid":"u"}}',
  );
});

test.each([
  [400, "BadRequest", "the server rejected our request for an unknown reason"],
  [401, "Unauthorized", "the server has asked for the client to provide credentials"],
  [403, "Forbidden", "says proxy"],
  [404, "NotFound", "the server could not find the requested resource"],
  [405, "MethodNotAllowed", "the server does not allow this method on the requested resource"],
  [406, "NotAcceptable", "says proxy"],
  [409, "Conflict", "the server reported a conflict"],
  [410, "", "the server responded with the status code 410 but did not return more information"],
  [413, "", "the server responded with the status code 413 but did not return more information"],
  [415, "UnsupportedMediaType", "says proxy"],
  [418, "", "the server responded with the status code 418 but did not return more information"],
  [422, "Invalid", "the server rejected our request due to an error in our request"],
  [
    429,
    "TooManyRequests",
    "the server has received too many requests and has asked us to try again later",
  ],
  [
    502,
    "InternalError",
    'an error on the server ("says proxy") has prevented the request from succeeding',
  ],
  [503, "ServiceUnavailable", "the server is currently unable to handle the request"],
  [
    504,
    "Timeout",
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
])("HTTP %d without a Status means %j", (httpStatus, reason, message) => {
  const error = apiErrorOfHttp({
    httpStatus,
    method: "GET",
    resource: deployments,
    name: "x",
    text: "says proxy",
    unexpected: true,
  });
  expect(error.reason).toBe(reason);
  expect(error.message).toBe(`${message} (get deployments.apps x)`);
  expect(error.httpStatus).toBe(httpStatus);
  expect(error.hasCause("UnexpectedServerResponse")).toBe(true);
});

test("what an HTTP failure says depends on the method and on what is known", () => {
  const post = apiErrorOfHttp({ httpStatus: 409, method: "POST", resource: configMaps });
  expect(post.is("AlreadyExists")).toBe(true);
  expect(post.message).toBe("the server reported a conflict (post configmaps)");
  const bare = apiErrorOfHttp({ httpStatus: 406, retryAfterSeconds: 7 });
  expect(bare.message).toBe(
    "the server was unable to respond with a content type that the client supports",
  );
  expect(bare.details).toEqual({ retryAfterSeconds: 7 });
});

test("reasons are looked up by own keys", () => {
  expect(isStatusReason("NotFound")).toBe(true);
  expect(isStatusReason("toString")).toBe(false);
});
