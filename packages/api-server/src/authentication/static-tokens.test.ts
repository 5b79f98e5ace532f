import { assert, property, string, stringMatching } from "fast-check";
import { expect, test } from "vitest";
import { parseTokenFile } from "./static-tokens.ts";

test("a line is a token, a user, a uid and perhaps groups", () => {
  const tokens = parseTokenFile(
    'a,alice,1\nb,"bob ""b""",2,"dev,ops"\r\n\n"c,\n",carol,3,one,ignored\n,nobody,4\na,again,5',
  );
  expect(Object.fromEntries(tokens)).toEqual({
    a: { username: "again", uid: "5" },
    b: { username: 'bob "b"', uid: "2", groups: ["dev", "ops"] },
    "c,\n": { username: "carol", uid: "3", groups: ["one"] },
  });
});

test.each([
  ["a,alice,1\nb,bob", "line 2 must have at least 3 columns (token, user name, user uid), found 2"],
  ['a,al"ice,1', 'line 1: a " inside a field that is not quoted'],
  ['\na,"alice,1', 'line 2: a quoted field without its closing "'],
  ['a,"alice"x,1', 'line 1: text behind the closing " of a field'],
])("%j is refused", (text, message) => {
  expect(() => parseTokenFile(text)).toThrow(message);
});

test("whatever is quoted is read back", () => {
  const text = string().map((each) => each.replaceAll("\r", ""));
  assert(
    property(stringMatching(/^[a-z]+$/), text, text, (token, user, uid) => {
      const quote = (field: string): string => `"${field.replaceAll('"', '""')}"`;
      const line = [token, user, uid].map(quote).join(",");
      expect(parseTokenFile(`${line}\n${line}`).get(token)).toEqual({ username: user, uid });
    }),
  );
});
