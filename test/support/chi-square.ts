/** ln Γ for halves and whole numbers. */
function logGamma(x: number): number {
  if (x === 0.5) return Math.log(Math.PI) / 2;
  return x <= 1 ? 0 : Math.log(x - 1) + logGamma(x - 1);
}

/** How probable a chi-square of at least `value` is: one less the series of the incomplete gamma. */
export function chiSquareP(value: number, degrees: number): number {
  const [a, x] = [degrees / 2, value / 2];
  if (x <= 0) return 1;
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < 1_000 && term > sum * 1e-15; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return Math.max(0, 1 - sum * Math.exp(a * Math.log(x) - x - logGamma(a)));
}

/** That the counts are in these proportions. */
export function proportionP(counts: readonly number[], weights: readonly number[]): number {
  const all = counts.reduce((sum, one) => sum + one, 0);
  const total = weights.reduce((sum, one) => sum + one, 0);
  const value = counts.reduce((sum, count, index) => {
    const expected = (all * (weights[index] ?? 0)) / total;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  return chiSquareP(value, counts.length - 1);
}

/** That rows and columns of a table of counts are independent. */
export function independenceP(table: readonly number[][]): number {
  const rows = table.map((row) => row.reduce((sum, one) => sum + one, 0));
  const columns = (table[0] ?? []).map((_, column) =>
    table.reduce((sum, row) => sum + (row[column] ?? 0), 0),
  );
  const all = rows.reduce((sum, one) => sum + one, 0);
  let value = 0;
  for (const [row, inRow] of rows.entries()) {
    for (const [column, inColumn] of columns.entries()) {
      const expected = (inRow * inColumn) / all;
      value += ((table[row]?.[column] ?? 0) - expected) ** 2 / expected;
    }
  }
  return chiSquareP(value, (rows.length - 1) * (columns.length - 1));
}
