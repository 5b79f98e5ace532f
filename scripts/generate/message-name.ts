// Names of message types. OpenAPI, protobuf and Go write the same type three ways; the generator and the table
// use one short form, `core.v1.Pod`: the last words of the Go package, then the type.

/** `io.k8s.api.core.v1.Pod` -> `core.v1.Pod`; the package words before the group are dropped. */
export function shortName(openApiName: string): string {
  const match = packagePrefix.exec(openApiName);
  if (match === null) throw new Error(`unknown package in schema name "${openApiName}"`);
  return openApiName.slice(match[0].length);
}

/** `k8s.io.api.core.v1.Pod` -> `io.k8s.api.core.v1.Pod`. */
export function openApiNameOfProtobuf(protobufName: string): string {
  return protobufName
    .replace(/^k8s\.io\./, "io.k8s.")
    .replace("apiextensions_apiserver", "apiextensions-apiserver");
}

/** `k8s.io/api/core/v1.Pod` -> `io.k8s.api.core.v1.Pod`. */
export function openApiNameOfGo(goName: string): string {
  return goName.replace(/^k8s\.io\//, "io.k8s.").replaceAll("/", ".");
}

/** apimachinery's own test kinds: no server serves them. */
export function isTestMessage(protobufName: string): boolean {
  return protobufName.startsWith("k8s.io.apimachinery.pkg.apis.testapigroup.");
}

/** `core.v1.Pod` -> `core.v1`. */
export function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

/** `core.v1.Pod` -> `Pod`. */
export function typeOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The generated file that holds the type: `core.v1.Pod` -> `core-v1`; all of apimachinery is `meta-v1`. */
export function fileOf(name: string): string {
  const packageName = packageOf(name);
  return packageName.includes(".") ? packageName.replace(".", "-") : "meta-v1";
}

const packagePrefix =
  /^io\.k8s\.(?:apimachinery\.pkg\.(?:apis|api|util|)\.?|(?:apiextensions-apiserver|kube-aggregator)\.pkg\.apis\.|api\.)/;
