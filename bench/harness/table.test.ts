import { expect, test } from "vitest";
import { formatNumber, markdownTable } from "./table.ts";

test("a table is markdown, with numbers to the right and holes shown", () => {
  const text = markdownTable({
    title: "Writes",
    columns: ["store", "per second", "p99 us"],
    rows: [
      ["sqlite", 131_234.4, 6.04],
      ["etcd | durable", 10_873, undefined],
    ],
  });
  expect(text).toBe(`### Writes

| store           | per second | p99 us |
|-----------------|-----------:|-------:|
| sqlite          |    131,234 |   6.04 |
| etcd \\| durable |     10,873 |      - |
`);
});

test("numbers keep about three digits", () => {
  const shown = [0, 5, 0.001234, 0.5, 6.041, 12.34, 99.95, 123.4, 999.6, 131_234.4, -2.5, Infinity];
  expect(shown.map(formatNumber)).toEqual([
    "0",
    "5",
    "0.0012",
    "0.50",
    "6.04",
    "12.3",
    "100.0",
    "123",
    "1,000",
    "131,234",
    "-2.50",
    "Infinity",
  ]);
});
