/** A body is JSON but not an object of its kind; the message is Go's. */
export class ObjectDecodeError extends Error {
  override readonly name: string = "ObjectDecodeError";
  readonly code = "object-undecodable";
  /** What a type that reads itself (a time, a port) says, without the place where it stands. */
  readonly inner: string | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { readonly inner?: string | undefined } = {},
  ) {
    super(message, options);
    this.inner = options.inner;
  }
}
