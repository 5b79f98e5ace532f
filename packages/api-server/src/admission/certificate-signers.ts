import { equalJson } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { CertificateSigningRequest } from "@homeostat/object-model/certificates-v1";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import { forbidden } from "./refusal.ts";

const REQUESTS: readonly string[] = ["certificatesigningrequests.certificates.k8s.io"];

/** Who approves a request must be allowed to approve for its signer. */
export class CertificateApproval implements AdmissionPlugin {
  readonly name = "CertificateApproval";
  readonly resources: readonly string[] = REQUESTS;
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (change.operation !== "UPDATE" || request.subresource !== "approval") return;
    const signer = (change.old as CertificateSigningRequest).spec?.signerName ?? "";
    if (mayActFor(this.#authorizer, request.user, { verb: "approve", signer })) return;
    const why = `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`;
    throw forbidden(change, request, why);
  }
}

/** Who issues a certificate must be allowed to sign for its signer. */
export class CertificateSigning implements AdmissionPlugin {
  readonly name = "CertificateSigning";
  readonly resources: readonly string[] = REQUESTS;
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (change.operation !== "UPDATE" || request.subresource !== "status") return;
    const old = change.old as CertificateSigningRequest;
    const { status } = change.object as CertificateSigningRequest;
    if (
      isSame(old.status?.certificate ?? "", status?.certificate ?? "") &&
      isSame(old.status?.conditions ?? [], status?.conditions ?? [])
    ) {
      return;
    }
    const signer = old.spec?.signerName ?? "";
    if (mayActFor(this.#authorizer, request.user, { verb: "sign", signer })) return;
    const why = `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`;
    throw forbidden(change, request, why);
  }
}

/** For this signer, or for all of its domain. */
function mayActFor(
  authorizer: Authorizer,
  user: UserInfo,
  { verb, signer }: { readonly verb: string; readonly signer: string },
): boolean {
  const domain = `${signer.split("/")[0]}/*`;
  return [signer, domain].some(
    (name) =>
      authorizer.authorize(user, {
        kind: "resource",
        verb,
        group: "certificates.k8s.io",
        version: "*",
        resource: "signers",
        subresource: "",
        namespace: "",
        name,
      }).allowed,
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return equalJson(a, b);
}
