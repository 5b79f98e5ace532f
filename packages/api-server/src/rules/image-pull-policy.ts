/**
 * When to pull an image nobody said it of: Always for `latest`, written or meant (no tag and no
 * digest), else IfNotPresent, which is also what a text that is no image reference gets.
 */
const COMPONENT = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const HOST = `(?:${COMPONENT}(?:\\.${COMPONENT})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const TAG = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const DIGEST = "sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}";
const REFERENCE = new RegExp(
  `^(?:${HOST}/)?(${PATH_PART}(?:/${PATH_PART})*)(?::(${TAG}))?(?:@(${DIGEST}))?$`,
);
const IMAGE_ID = /^[a-f0-9]{64}$/;
const MAX_PATH = 255;
const DEFAULT_HOST = "docker.io";

export function imagePullPolicyOf(image: string | undefined): "Always" | "IfNotPresent" {
  const match = image === undefined || IMAGE_ID.test(image) ? null : REFERENCE.exec(qualify(image));
  const [, path = "", tag, digest] = match ?? [];
  if (path === "" || path.length > MAX_PATH) return "IfNotPresent";
  const isLatest = tag === undefined ? digest === undefined : tag === "latest";
  return isLatest ? "Always" : "IfNotPresent";
}

/** With host, and with `library/` where the image is an official one: `nginx` in full. */
function qualify(image: string): string {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = first === "localhost" || /[.:]/.test(first) || first.toLowerCase() !== first;
  const host = isHost && first !== "index.docker.io" ? first : DEFAULT_HOST;
  const rest = isHost ? image.slice(slash + 1) : image;
  return host === DEFAULT_HOST && !rest.includes("/")
    ? `${host}/library/${rest}`
    : `${host}/${rest}`;
}
