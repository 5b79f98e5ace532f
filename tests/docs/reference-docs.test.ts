import { readFileSync } from "node:fs";
import { STATUS_REASONS } from "@homeostat/object-model";
import * as store from "@homeostat/store";
import { expect, test } from "vitest";
import { printKnownDifferences } from "../conformance/differences.ts";
import { printAgreementMarkdown, readAgreement } from "../conformance/validation/agreement.ts";

function page(name: string): string {
  return readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), "utf8");
}

test.each(Object.entries(STATUS_REASONS))("api-errors.md tells of reason %s", (reason, info) => {
  const retry = info.retryable ? "yes" : "no";
  const { code, httpStatus, remedy } = info;
  expect(page("api-errors.md")).toContain(
    `| \`${reason}\` | \`${code}\` | ${httpStatus} | ${retry} | ${remedy} |`,
  );
});

test.each(Object.keys(store).filter((name) => name.endsWith("Error") && name !== "StoreError"))(
  "store-errors.md tells of %s",
  (name) => {
    expect(page("store-errors.md")).toContain(`\`${name}\``);
  },
);

test("differences.md shows the list that the comparison uses", () => {
  // Written there by `npm run compare -- differences`.
  expect(page("differences.md")).toContain(printKnownDifferences().trim());
});

test("differences.md shows how far validation agrees", async () => {
  // Written there by `npm run compare -- validation --markdown`.
  expect(page("differences.md")).toContain(printAgreementMarkdown(await readAgreement()).trim());
});
