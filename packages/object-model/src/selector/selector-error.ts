/** Thrown for a selector that cannot be read; the messages are those of Kubernetes. */
export class SelectorError extends Error {
  override readonly name: string = "SelectorError";
  readonly code: "label-selector-malformed" | "field-selector-malformed";

  constructor(code: SelectorError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
