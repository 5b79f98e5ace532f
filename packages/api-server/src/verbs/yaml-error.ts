/** The body is no YAML; the message says where. Apart from the decoder, which loads its library. */
export class YamlError extends Error {
  override readonly name: string = "YamlError";
  readonly code = "yaml-syntax";
}
