import { expect, test } from "vitest";
import { goQuote, goQuoteByte } from "./go-quote.ts";

test("text is quoted as Go's strconv.Quote does", () => {
  const samples: [string, string][] = [
    ["spec.replicas", '"spec.replicas"'],
    [`it's "quoted" \\`, `"it's \\"quoted\\" \\\\"`],
    ["\u0007\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'],
    ["\u0000\u001f\u007f", '"\\x00\\x1f\\x7f"'],
    ["é世\u{1F600}", '"é世\u{1F600}"'],
    ["\u00a0\u00ad\u200b\ufeff", '"\\u00a0\\u00ad\\u200b\\ufeff"'],
    ["\u{E0001}", '"\\U000e0001"'],
  ];
  for (const [text, quoted] of samples) expect(goQuote(text)).toBe(quoted);
});

test("a character is named by its first byte", () => {
  const samples: [string, string][] = [
    ["x", "'x'"],
    ["'", "'\\''"],
    ['"', "'\"'"],
    ["\n", "'\\n'"],
    ["\uFEFF", "'ï'"],
  ];
  for (const [character, quoted] of samples) expect(goQuoteByte(character)).toBe(quoted);
});
