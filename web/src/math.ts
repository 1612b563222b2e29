// Writes the mathematics of plain text as mathematics: "alpha*" is α*, "eps" is ε, "R^2" is R², "5 x 5" is 5 × 5, "a -> b" is
// a → b. "95 %", "± 3" and "R = 1" stay on one line.

const words: [RegExp, string][] = [
  [/\balpha\^R\b/g, "αᴿ"],
  [/\balpha\b/g, "α"],
  [/\beps\b/g, "ε"],
  [/\bsqrt\(/g, "√("],
  [/(?<=\d|\bk|\bslope) x (?=\d|k\b|loss\b)/g, " × "],
  [/ -> /g, " → "],
  [/(?<=\d) (?=%)|(?<=±) /g, "\u00a0"],
  [/\b([A-Zε]) = (?=\d)/g, "$1\u00a0=\u00a0"],
];

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// For places that hold text alone, such as the axes. An exponent that is not a whole number stays as it is.
export function mathText(text: string): string {
  const written = words.reduce((sofar, [pattern, sign]) => sofar.replace(pattern, sign), text);
  return written.replace(/\^(\d+)(?![\d.])/g, (_, digits: string) => [...digits].map((digit) => superscripts[Number(digit)]).join(""));
}

// For the page: with elements for the exponents that have no characters of their own.
export function math(text: string): (Node | string)[] {
  return mathText(text)
    .split(/\^(-?\d[\d.]*\d)/)
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const exponent = document.createElement("sup");
      exponent.textContent = part;
      return exponent;
    });
}
