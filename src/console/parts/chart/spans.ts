/** Where each step of a way from a start to an end lies: totals from zero, the rest from before. */
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
