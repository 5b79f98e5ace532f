/**
 * Issues and rotates the certificates of a plane. `openAuthority` finds or makes the authority, in
 * a directory or in memory; `Authority.keep` gives a leaf that is reused on restart and replaced in
 * good time. Certificates are made by code that is loaded only when one has to be made. What is on
 * disk is never overwritten because it could not be read.
 */
export type { Authority, KeptLeafRequest } from "./authority.ts";
export {
  CertificateDirectoryError,
  CertificateError,
  CertificateFileError,
} from "./certificate-error.ts";
export type { CertificateRequest, LeafUsage, Subject } from "./certificate-request.ts";
export type { KeptLeaf, LeafEvents } from "./kept-leaf.ts";
export type { Leaf } from "./leaf.ts";
export { type AuthorityOptions, openAuthority } from "./open-authority.ts";
export { type PrivateFileOptions, replacePrivateFile } from "./private-file.ts";
export { type ServerNamesOptions, serverNames } from "./server-names.ts";
export type { Validity } from "./validity.ts";
