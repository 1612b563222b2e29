// Numbers by the convention of hearsay/base/number_text.h, which the terminal follows, too: whole digits in groups of
// three, "300,000", and the same number of decimals in all rows of a column. tests/golden/numbers.json has examples.

const fourDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const mostDecimals = 6;

// A measured number that stands alone: four digits, and all digits of its whole part.
export function number(value: number): string {
  return Math.abs(value) >= 1000 ? withDecimals(value, 0) : signed(fourDigits.format(value));
}

// A number of a column. Zero has no sign.
export function withDecimals(value: number, decimals: number): string {
  const text = value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return signed(/[1-9]/.test(text) ? text : text.replace("-", ""));
}

function signed(text: string): string {
  return text.replace("-", "−");
}

// How many decimals the numbers of a column have. The median of the errors (standard errors, or halves of the widths of
// intervals) has two digits; without a positive error, the largest value has four.
export function columnDecimals(values: number[], errors: number[]): number {
  const positive = errors.filter((error) => error > 0 && Number.isFinite(error)).sort((a, b) => a - b);
  if (positive.length > 0) return clamped(1 - magnitude(positive[Math.floor((positive.length - 1) / 2)]!));
  const largest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  return largest > 0 ? clamped(3 - magnitude(largest)) : 0;
}

// The exponent of the first digit: 2 for 345.
function magnitude(value: number): number {
  return Math.floor(Math.log10(value));
}

function clamped(decimals: number): number {
  return Math.min(Math.max(decimals, 0), mostDecimals);
}

export function percent(share: number): string {
  return `${number(Number((100 * share).toPrecision(2)))}\u00a0%`;
}
