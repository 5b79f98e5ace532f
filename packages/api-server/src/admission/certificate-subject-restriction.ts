import type { CertificateSigningRequest } from "@homeostat/object-model/certificates-v1";
import {
  DerError,
  DerReader,
  INTEGER,
  OBJECT_ID,
  SEQUENCE,
} from "../rules/certificates/der-reader.ts";
import { pemBlocks } from "../rules/certificates/pem-blocks.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { forbidden } from "./refusal.ts";

const SIGNER = "kubernetes.io/kube-apiserver-client";
const MASTERS = "system:masters";
const SET = 0x31;
const BMP_STRING = 0x1e;
/** Object id 2.5.4.10, in hexadecimal: an organization, which is a group of the user. */
const ORGANIZATION = "55040a";

/** Nobody becomes a master of the plane by a certificate of the signer for its clients. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  resources: ["certificatesigningrequests.certificates.k8s.io"],
  validate: (change, request) => {
    if (change.operation !== "CREATE" || request.subresource !== "") return;
    const { spec } = change.object as CertificateSigningRequest;
    if (spec?.signerName !== SIGNER) return;
    const problem = problemOf(spec.request ?? "");
    if (problem !== undefined) throw forbidden(change, request, problem);
  },
};

function problemOf(request: string): string | undefined {
  try {
    if (!organizationsOf(request).includes(MASTERS)) return undefined;
    return `use of ${SIGNER} signer with ${MASTERS} group is not allowed`;
  } catch (error) {
    if (error instanceof DerError) return `failed to parse CSR: ${error.message}`;
    throw error;
  }
}

/** Of a request in PEM in base64, which the kind's rules have read before. */
function organizationsOf(request: string): string[] {
  const [block] = pemBlocks(Buffer.from(request, "base64").toString("latin1"));
  if (block === undefined) throw new DerError("PEM block type must be CERTIFICATE REQUEST");
  const outer = new DerReader(block.bytes).read(SEQUENCE, "certificateRequest");
  const signed = new DerReader(outer.content).read(SEQUENCE, "tbsCertificateRequest");
  const info = new DerReader(signed.content);
  info.read(INTEGER, "int");
  const names = new DerReader(info.read(SEQUENCE, "RDNSequence").content);
  const found: string[] = [];
  while (!names.isDone) {
    const attributes = new DerReader(names.read(SET, "RelativeDistinguishedNameSET").content);
    while (!attributes.isDone) {
      const pair = new DerReader(attributes.read(SEQUENCE, "AttributeTypeAndValue").content);
      const type = pair.read(OBJECT_ID, "ObjectIdentifier").content.toString("hex");
      const { tag, content } = pair.readAny();
      if (type === ORGANIZATION) found.push(textOf(tag, content));
    }
  }
  return found;
}

function textOf(tag: number, content: Buffer): string {
  if (tag !== BMP_STRING || content.length % 2 !== 0) return content.toString();
  return Buffer.from(content).swap16().toString("utf16le");
}
