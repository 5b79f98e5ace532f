/** Blocks of PEM in a text, as Go finds them: what is between or around them does not count. */

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const BEGIN = /^-----BEGIN ([^\n]*)-----$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Every line is looked at a bounded number of times, whatever the text. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const blocks: PemBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const type = BEGIN.exec(lines[at]!)?.[1];
    if (type === undefined) continue;
    const end = nextRule(lines, at + 1);
    const block = readBlock(type, lines.slice(at + 1, end + 1));
    if (block === undefined) continue;
    blocks.push(block);
    at = end;
  }
  return blocks;
}

/** The next line that begins or ends a block. */
function nextRule(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !lines[at]!.startsWith("-----")) at++;
  return at;
}

function readBlock(type: string, lines: readonly string[]): PemBlock | undefined {
  if (lines.at(-1) !== `-----END ${type}-----`) return undefined;
  let body = 0;
  while (lines[body]!.includes(":")) body++;
  const text = lines.slice(body, -1).join("").replace(/\s/g, "");
  if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
  return { type, hasHeaders: body > 0, bytes: Buffer.from(text, "base64") };
}
