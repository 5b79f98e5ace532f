/** Everything this package throws about what it finds on disk. Nothing was changed then. */
export abstract class CertificateError extends Error {
  abstract readonly code: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * A file is missing, damaged, unreadable or belongs to another authority. A new authority is never
 * made in its place: every client trusts the old one.
 */
export class CertificateFileError extends CertificateError {
  readonly code = "certificate-file-unusable";
  readonly file: string;

  constructor(options: { file: string; problem: string; remedy: string; cause?: unknown }) {
    super(`${options.file} ${options.problem}; ${options.remedy}`, { cause: options.cause });
    this.file = options.file;
  }
}

/** The directory cannot be made or written. */
export class CertificateDirectoryError extends CertificateError {
  readonly code = "certificate-directory-unusable";

  constructor(directory: string, cause: Error) {
    super(
      `certificate directory ${directory} cannot be used: ${cause.message}; make it writable, or use another data directory`,
      { cause },
    );
  }
}
