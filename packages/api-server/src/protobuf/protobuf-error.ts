/** The kind and version that an envelope names, or is taken to mean. */
export interface ObjectType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Bytes are no message of their kind; the message is Go's where Go refuses them too. */
export class ProtobufError extends Error {
  override readonly name: string = "ProtobufError";
  readonly code = "protobuf-malformed";
  /** What the bytes should have been; undefined where not even that could be read. */
  readonly type: ObjectType | undefined;

  constructor(message: string, options: ErrorOptions & { readonly type?: ObjectType } = {}) {
    super(message, options);
    this.type = options.type;
  }
}

export function unexpectedEnd(): ProtobufError {
  return new ProtobufError("unexpected EOF");
}

export function negativeLength(): ProtobufError {
  return new ProtobufError("proto: negative length found during unmarshaling");
}
