/** Certificate signing requests. Conditions and who may set them are the matter of the strategy. */
import type {
  CertificateSigningRequest,
  CertificateSigningRequestSpec,
} from "@homeostat/object-model/certificates-v1";
import { each, fields, ifPresent, type Rule, required } from "@homeostat/schema";
import { certificateChainProblem } from "./certificates/certificate-chain.ts";
import { signingRequestProblem } from "./certificates/signing-request.ts";
import { knownChoice } from "./checks/choices.ts";
import { signerName } from "./checks/signer-names.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
const MIN_SECONDS = 600;

/** The spec of a request never changes, so updates need not look at it. */
export const certificateRequestRules: readonly NamedTypeRules[] = [
  rulesFor<CertificateSigningRequest>("certificates.v1.CertificateSigningRequest", {
    validate: (request, place) => spec(request?.spec, place.child("spec")),
  }),
];

const request: Rule<string> = (value, place) => {
  const problem = signingRequestProblem(textOf(value));
  if (problem !== undefined) place.invalid(value ?? null, problem);
};

const usage = knownChoice(
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
);

const eachOnce: Rule<readonly string[]> = (list = [], place) => {
  for (const [index, text] of list.entries()) {
    if (list.indexOf(text) < index) place.index(index).duplicate(text);
  }
};

const signer: Rule<string> = (value, place) => {
  if (value !== LEGACY_SIGNER) return signerName(value, place);
  place.invalid(value, "the legacy signerName is not allowed via this API version");
};

const seconds: Rule<number> = (value = 0, place) => {
  if (value >= MIN_SECONDS) return;
  place.invalid(value, "may not specify a duration less than 600 seconds (10 minutes)");
};

const spec = fields<CertificateSigningRequestSpec>({
  request,
  usages: [required, each(usage), eachOnce],
  signerName: signer,
  expirationSeconds: ifPresent(seconds),
});

/** The certificate itself is never shown. */
export const issuedCertificate: Rule<string> = (value, place) => {
  const problem = certificateChainProblem(textOf(value));
  if (problem !== undefined) place.invalid("<certificate data>", problem);
};

function textOf(base64: string | undefined): string {
  return Buffer.from(base64 ?? "", "base64").toString("latin1");
}
