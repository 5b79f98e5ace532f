/** Blocks of PEM in a text, as Go finds them: what is between or around them does not count. */

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const BEGIN = "-----BEGIN ";
const DASHES = "-----";
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Every line is looked at a bounded number of times, whatever the text. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let begin = text.indexOf(BEGIN);
  while (begin >= 0) {
    const isLine = begin === 0 || text[begin - 1] === "\n";
    const found = isLine ? blockAt(text, begin) : undefined;
    if (found !== undefined) blocks.push(found.block);
    begin = text.indexOf(BEGIN, found?.end ?? begin + BEGIN.length);
  }
  return blocks;
}

/** A block ends at the next line that begins with dashes, or is none. */
function blockAt(text: string, begin: number): { block: PemBlock; end: number } | undefined {
  const head = lineAt(text, begin);
  const end = text.indexOf(`\n${DASHES}`, begin + head.length);
  const type = head.trimEnd().slice(BEGIN.length, -DASHES.length);
  if (end < 0 || head.trimEnd() !== BEGIN + type + DASHES) return undefined;
  if (lineAt(text, end + 1).trimEnd() !== `-----END ${type}-----`) return undefined;
  const lines = text.slice(begin + head.length + 1, end).split("\n");
  const headers = lines.findIndex((line) => !line.includes(":"));
  const body = lines.slice(headers).join("").replace(/\s/g, "");
  if (body.length % 4 !== 0 || !BASE64.test(body)) return undefined;
  const block = { type, hasHeaders: headers !== 0, bytes: Buffer.from(body, "base64") };
  return { block, end: end + 1 };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? text.length : end);
}
