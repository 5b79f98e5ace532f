/** A body is JSON but not an object of its kind; the message is Go's. */
export class ObjectDecodeError extends Error {
  override readonly name: string = "ObjectDecodeError";
  readonly code = "object-undecodable";
}
