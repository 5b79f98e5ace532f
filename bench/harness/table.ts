// Results as markdown, readable as plain text too.

/** A number is printed rounded and kept exactly for `--json`; undefined: not measured. */
type Cell = string | number | undefined;

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The table with its title, ending with a line break. Columns that hold numbers are set right. */
export function markdownTable(table: Table): string {
  const columns = table.columns.map((name, index) => {
    const cells = table.rows.map((row) => row[index]);
    const right = cells.some((cell) => typeof cell === "number");
    const texts = [name, ...cells.map(cellText)].map(escapeCell);
    return { right, texts, width: Math.max(3, ...texts.map((text) => text.length)) };
  });
  const line = (row: number): string => {
    const cells = columns.map(({ right, texts, width }) =>
      right ? texts.at(row)!.padStart(width) : texts.at(row)!.padEnd(width),
    );
    return `| ${cells.join(" | ")} |`;
  };
  const rule = columns.map(({ right, width }) =>
    right ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2),
  );
  const body = table.rows.map((_, index) => line(index + 1));
  return `### ${table.title}\n\n${[line(0), `|${rule.join("|")}|`, ...body].join("\n")}\n`;
}

/** A number for people: three digits are enough below a thousand, and no part of a unit above it. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  let digits = 0;
  if (size < 100 && !Number.isInteger(value)) digits = size < 10 ? 2 : 1;
  if (size < 0.1 && size > 0) return value.toPrecision(2);
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function cellText(cell: Cell): string {
  if (cell === undefined) return "-";
  return typeof cell === "number" ? formatNumber(cell) : cell;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}
