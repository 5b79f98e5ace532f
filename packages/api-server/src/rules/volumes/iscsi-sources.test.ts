import { Place } from "@homeostat/schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { iscsi } from "./iscsi-sources.ts";

/** Kubernetes' expression, which is not used because it is slow in JavaScript. */
const IQN = /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\t\n\f\r ]+)$/;

function isAccepted(iqn: string): boolean {
  const place = Place.root(undefined);
  iscsi({ targetPortal: "p", iqn, lun: 0 }, place);
  return place.errors.length === 0;
}

test("a name that begins with iqn is one where Kubernetes' expression finds one", () => {
  const piece = fc.constantFrom("iqn", ".2015-02.", "a", ":", ":", ",", "é", ".", "-", "1");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const name = `iqn${pieces.join("")}`;
      expect(isAccepted(name)).toBe(IQN.test(name));
    }),
    { numRuns: 2000 },
  );
});

test("finding out takes no longer than the text is long", () => {
  expect(isAccepted("iqn.2015-02.".repeat(200_000))).toBe(false);
});

test.each([
  ["eui.0123456789abcdef", true],
  ["eui.0123456789abcde", false],
  ["naa.62004567BA64678D0123456789ABCDEF", true],
  ["naa.62004567", false],
  ["nqn.2015-02.a:b", false],
])("%s", (name, expected) => {
  expect(isAccepted(name)).toBe(expected);
});
