/** Everything the store throws. Refused writes are results, not errors: see `Refused`. */
export abstract class StoreError extends Error {
  abstract readonly code: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/** The revision is older than what the store still knows. List anew, then watch from there. */
export class RevisionCompactedError extends StoreError {
  readonly code = "store-revision-compacted";
  readonly requested: number;
  /** The oldest revision that can be read; undefined where a kept state was asked for its bytes. */
  readonly compactRevision: number | undefined;

  constructor(requested: number, compactRevision?: number) {
    const oldest =
      compactRevision === undefined ? "" : `; the oldest readable one is ${compactRevision}`;
    super(`revision ${requested} has been compacted${oldest}`);
    this.requested = requested;
    this.compactRevision = compactRevision;
  }
}

/** The revision does not exist yet. */
export class RevisionAheadError extends StoreError {
  readonly code = "store-revision-ahead";
  readonly requested: number;
  readonly currentRevision: number;

  constructor(requested: number, currentRevision: number) {
    super(`revision ${requested} is ahead of the store, which is at ${currentRevision}`);
    this.requested = requested;
    this.currentRevision = currentRevision;
  }
}

/** The consumer did not keep up. Resume with `after: lastRevision`: nothing before it was missed. */
export class WatchOverflowError extends StoreError {
  readonly code = "store-watch-overflow";
  readonly lastRevision: number;

  constructor(lastRevision: number, bufferSize: number) {
    super(
      `the watcher fell more than ${bufferSize} events behind; the last delivered revision is ${lastRevision}`,
    );
    this.lastRevision = lastRevision;
  }
}

export class StoreClosedError extends StoreError {
  readonly code = "store-closed";

  constructor() {
    super("the store is closed");
  }
}

/**
 * A batch of writes was not acknowledged. It was rolled back whole: none of its writes is visible,
 * and the revision is what it was. After a full disk or a lock nothing of it is on disk, and writing
 * may be tried again. Where the disk itself failed (`fatal`) nobody knows: the store takes no more
 * writes, and opening it again shows the batch whole or not at all.
 */
export class CommitFailedError extends StoreError {
  readonly code: "store-disk-full" | "store-busy" | "store-io-failed";
  readonly reason: "disk-full" | "busy" | "io-failed";
  readonly fatal: boolean;

  constructor(options: {
    reason: "disk-full" | "busy" | "io-failed";
    message: string;
    cause?: unknown;
  }) {
    super(options.message, { cause: options.cause });
    this.reason = options.reason;
    this.code = `store-${options.reason}`;
    this.fatal = options.reason === "io-failed";
  }
}

/** The files do not hold what the store wrote. Nothing was changed. */
export class StoreCorruptError extends StoreError {
  readonly code = "store-corrupt";

  constructor(file: string, detail: string, options?: ErrorOptions) {
    super(
      `${file} is damaged: ${detail}. Nothing was changed; restore the data directory from a copy, or move it away to start empty`,
      options,
    );
  }
}

/** The data directory cannot be made or written. */
export class StoreDirectoryError extends StoreError {
  readonly code = "store-directory-unusable";

  constructor(directory: string, cause: Error) {
    super(`data directory ${directory} cannot be used: ${cause.message}`, { cause });
  }
}

/** Another process holds the data directory. */
export class StoreLockedError extends StoreError {
  readonly code = "store-locked";
  readonly holder: string;

  constructor(directory: string, holder: string) {
    super(
      `data directory ${directory} is in use by ${holder}; stop it first or use another directory`,
    );
    this.holder = holder;
  }
}

/** The data directory was written by a newer Homeostat. */
export class StoreVersionError extends StoreError {
  readonly code = "store-version-unsupported";
  readonly found: number;
  readonly supported: number;

  constructor(options: { file: string; found: number; supported: number }) {
    super(
      `${options.file} has schema version ${options.found}, this program reads up to version ${options.supported}; ` +
        "use a newer Homeostat, nothing was changed",
    );
    this.found = options.found;
    this.supported = options.supported;
  }
}
