/** As Go's `%g`: the shortest digits that read back, with an exponent from 1e+06 up and 1e-05 down. */
export function printDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) return withExponent(mantissa, exponent);
  return printPlainDouble(value);
}

function withExponent(mantissa: string, exponent: number): string {
  const sign = exponent < 0 ? "-" : "+";
  return `${mantissa}e${sign}${Math.abs(exponent).toString().padStart(2, "0")}`;
}

/** Digits and a point, no exponent, whatever the size. */
export function printPlainDouble(value: number): string {
  const text = value.toString();
  if (!text.includes("e")) return text;
  const [mantissa = "", exponentText = "0"] = text.split("e");
  const exponent = Number(exponentText);
  const negative = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  const point = whole.length + exponent;
  if (point <= 0) return `${negative}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return negative + digits.padEnd(point, "0");
  return `${negative}${digits.slice(0, point)}.${digits.slice(point)}`;
}
