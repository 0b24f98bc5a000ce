const Z = 1.959963984540054;

export function wilson(part: number, whole: number): { low: number; high: number } {
  const share = part / whole;
  const square = Z ** 2 / whole;
  const middle = (share + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / whole + square / whole / 4);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
