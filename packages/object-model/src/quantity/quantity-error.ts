/** Thrown for text that is no quantity; the messages are those of Kubernetes. */
export class QuantityError extends Error {
  override readonly name: string = "QuantityError";
  readonly code = "quantity-malformed";
  /** What was to be read as a quantity. */
  readonly input: string;

  constructor(message: string, input: string) {
    super(message);
    this.input = input;
  }
}

/** Thrown where a computed quantity has more digits than anything could print. */
export class QuantityRangeError extends Error {
  override readonly name: string = "QuantityRangeError";
  readonly code = "quantity-out-of-range";
}
