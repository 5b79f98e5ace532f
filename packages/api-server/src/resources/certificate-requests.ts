/**
 * CertificateSigningRequests. Who asks is written by the server, never by the client; the request
 * never changes; approving it and issuing the certificate are two subresources, and neither can do
 * the other's work.
 */

import { FieldError, FieldPath, timeOfMilliseconds } from "@homeostat/object-model";
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from "@homeostat/object-model/certificates-v1";
import { Place } from "@homeostat/schema";
import type { NameCheck, Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { issuedCertificate } from "../rules/certificate-request.ts";
import { isRefused } from "../rules/checks/is-refused.ts";
import { internalList, printIndented, sameInternal } from "./internal-form.ts";
import { keepSpec } from "./status-updates.ts";
import { unifiedDiff } from "./unified-diff.ts";

const CONDITIONS = FieldPath.of("status", "conditions");
const CERTIFICATE = FieldPath.of("status", "certificate");
const CONDITION = "certificates.CertificateSigningRequestCondition";
const DECISIONS = ["Approved", "Denied"] as const;
/** These are said or not said; there is no denying them. */
const ONLY_TRUE: ReadonlySet<string> = new Set([...DECISIONS, "Failed"]);

type Request = CertificateSigningRequest;
type Condition = CertificateSigningRequestCondition;

/** Any that a path can hold, which is asked of all kinds in the end. */
const checkRequestName: NameCheck = () => [];

const status: SubresourceStrategy<Request> = {
  prepareForUpdate(request, old, context) {
    keepSpec(request, old);
    request.status ??= {};
    for (const type of DECISIONS) keepDecision(request.status, old.status ?? {}, type);
    stampConditions(request.status, old.status ?? {}, context.now);
  },
  validateUpdate: (request, old) => [
    ...checkConditions(request, old),
    ...checkIssued(request, old),
    ...checkKept(request, old),
    ...checkDecisions(request, old),
    ...checkCertificate(request, old, true),
  ],
};

const approval: SubresourceStrategy<Request> = {
  prepareForUpdate(request, old, context) {
    keepSpec(request, old);
    const conditions = request.status?.conditions;
    const { conditions: _, ...rest } = old.status ?? {};
    request.status = conditions === undefined ? rest : { ...rest, conditions };
    stampConditions(request.status, old.status ?? {}, context.now);
  },
  validateUpdate: (request, old) => [
    ...checkConditions(request, old),
    ...checkKept(request, old),
    ...checkCertificate(request, old, false),
  ],
};

export const certificateSigningRequests: Strategy<Request> = {
  checkName: checkRequestName,
  selectableFields: { "spec.signerName": (request) => request.spec?.signerName ?? "" },

  prepareForCreate(request, { user }) {
    const { uid: _, extra: __, ...spec } = request.spec ?? {};
    request.spec = { ...spec, username: user.username ?? "", groups: [...(user.groups ?? [])] };
    if (user.uid) request.spec.uid = user.uid;
    if (user.extra !== undefined) request.spec.extra = structuredClone(user.extra);
    request.status = {};
  },

  prepareForUpdate: keepSpec,

  subresources: { status, approval },
};

function conditionsOf({ status: from }: Readonly<Request>, type: string): readonly Condition[] {
  return (from?.conditions ?? []).filter((condition) => condition.type === type);
}

/** Decisions pass through status unchanged, where the client sends them back at all. */
function keepDecision(
  next: CertificateSigningRequestStatus,
  old: Readonly<CertificateSigningRequestStatus>,
  type: string,
): void {
  const before = (old.conditions ?? []).filter((condition) => condition.type === type);
  const conditions = next.conditions ?? [];
  if (conditions.filter((condition) => condition.type === type).length !== before.length) return;
  let index = 0;
  for (const [place, condition] of conditions.entries()) {
    if (condition.type === type) conditions[place] = { ...before[index++]! };
  }
}

function stampConditions(
  next: CertificateSigningRequestStatus,
  old: Readonly<CertificateSigningRequestStatus>,
  now: number,
): void {
  const time = timeOfMilliseconds(now);
  for (const condition of next.conditions ?? []) {
    const before = old.conditions?.find(
      ({ type, status: was, lastTransitionTime }) =>
        type === condition.type && was === condition.status && lastTransitionTime != null,
    );
    condition.lastUpdateTime ??= time;
    condition.lastTransitionTime ??= before?.lastTransitionTime ?? time;
  }
}

/** Old problems are tolerated, so that a request with them can still be changed. */
function checkConditions(request: Readonly<Request>, old: Readonly<Request>): FieldError[] {
  const errors: FieldError[] = [];
  const bothBefore = DECISIONS.every((type) => conditionsOf(old, type).length > 0);
  const before = old.status?.conditions ?? [];
  const twiceBefore = new Set(before.map(({ type }) => type)).size < before.length;
  const seen = new Set<string>();
  for (const [index, { type = "", status: value = "" }] of (
    request.status?.conditions ?? []
  ).entries()) {
    const path = CONDITIONS.index(index);
    if (type === "") errors.push(FieldError.required(path.child("type")));
    const allowed = ONLY_TRUE.has(type) ? ["True"] : ["False", "True", "Unknown"];
    if (value === "") errors.push(FieldError.required(path.child("status")));
    else if (!allowed.includes(value)) {
      errors.push(FieldError.notSupported(path.child("status"), value, allowed));
    }
    const other = type === "Approved" ? "Denied" : type === "Denied" ? "Approved" : undefined;
    if (!bothBefore && other !== undefined && seen.has(other)) {
      const why = "Approved and Denied conditions are mutually exclusive";
      errors.push(FieldError.invalid(CONDITIONS, type, why));
    }
    if (!twiceBefore && seen.has(type)) {
      errors.push(FieldError.duplicate(path.child("type"), type));
    }
    seen.add(type);
  }
  return errors;
}

function checkKept(request: Readonly<Request>, old: Readonly<Request>): FieldError[] {
  return [...DECISIONS, "Failed"]
    .filter((type) => conditionsOf(request, type).length < conditionsOf(old, type).length)
    .map((type) =>
      FieldError.forbidden(CONDITIONS, `updates may not remove a condition of type "${type}"`),
    );
}

function checkDecisions(request: Readonly<Request>, old: Readonly<Request>): FieldError[] {
  return DECISIONS.flatMap((type) => {
    const conditions = conditionsOf(request, type);
    const before = conditionsOf(old, type);
    if (conditions.length > before.length) {
      const why = `updates may not add a condition of type "${type}"`;
      return [FieldError.forbidden(CONDITIONS, why)];
    }
    const same = conditions.every((condition, index) =>
      sameInternal(CONDITION, condition, before[index]),
    );
    if (same) return [];
    const diff = unifiedDiff(
      printIndented(internalList(CONDITION, before)),
      printIndented(internalList(CONDITION, conditions)),
    );
    const why = `updates may not modify a condition of type "${type}"\n${diff}`;
    return [FieldError.forbidden(CONDITIONS, why)];
  });
}

/** A certificate that was there before may stay as it is, or be as wrong as it was. */
function checkIssued(request: Readonly<Request>, old: Readonly<Request>): FieldError[] {
  const { certificate = "" } = request.status ?? {};
  const before = old.status?.certificate ?? "";
  if (certificate === before || isRefused(issuedCertificate, before)) return [];
  const place = Place.root(undefined, CERTIFICATE);
  issuedCertificate(certificate, place);
  return place.errors;
}

function checkCertificate(
  request: Readonly<Request>,
  old: Readonly<Request>,
  maySet: boolean,
): FieldError[] {
  const before = old.status?.certificate ?? "";
  if ((request.status?.certificate ?? "") === before) return [];
  if (!maySet) {
    return [FieldError.forbidden(CERTIFICATE, "updates may not set certificate content")];
  }
  if (before === "") return [];
  return [FieldError.forbidden(CERTIFICATE, "updates may not modify existing certificate content")];
}
