/** Totals from zero, the rest from before. */
export function spansOf(
  steps: readonly { amount: number; isTotal?: boolean }[],
): { from: number; to: number }[] {
  let at = 0;
  return steps.map(({ amount, isTotal }) => {
    const from = isTotal ? 0 : at;
    at = isTotal ? amount : at + amount;
    return { from, to: at };
  });
}
