/**
 * A plane's certificate authority. `openAuthority` finds or makes it; `issue` makes a leaf, `keep`
 * also keeps it: on disk if the authority is on disk, reused by the next process, replaced before
 * it ends. The authority's key is made once. Its certificate is signed anew with the same key and
 * name when it grows old, so that what it has signed, and who trusts it, stay valid.
 */
import type { CertificateRequest } from "./certificate-request.ts";
import type { KeptLeaf, LeafEvents } from "./kept-leaf.ts";
import type { Leaf } from "./leaf.ts";

export interface Authority {
  /** The certificate that peers are to trust, as PEM. */
  readonly certificate: string;

  /** A new key and a certificate for it, of a year's life. */
  issue(request: CertificateRequest): Promise<Leaf>;

  /**
   * The leaf kept under this name, or a new one where there is none, where the subject or the names
   * are others, or where it is time. It is replaced in good time until it is disposed of. Throws
   * CertificateFileError when the file holds something else.
   */
  keep(request: KeptLeafRequest): Promise<KeptLeaf>;
}

export interface KeptLeafRequest extends CertificateRequest, LeafEvents {
  /** Names the leaf's file; a word. */
  readonly name: string;
}
