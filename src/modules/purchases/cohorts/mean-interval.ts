const Z = 1.959963984540054;
/** Fewer payers say too little of how payments are spread. */
export const FEWEST_PAYERS = 20;

export type Moments = { people: number; sum: number; squares: number; cubes: number };
export type Interval = { low: number; high: number };

/**
 * 95 % of a mean, corrected for skewness: Johnson, Journal of the American Statistical Association
 * 73 (1978). Null without a spread.
 */
export function meanInterval({ people, sum, squares, cubes }: Moments): Interval | null {
  if (people < 2) return null;
  const mean = sum / people;
  const variance = (squares - people * mean * mean) / (people - 1);
  if (!(variance > 0)) return null;
  const third = cubes / people - (3 * mean * squares) / people + 2 * mean ** 3;
  const middle = mean + third / (6 * variance * people);
  const half = Z * Math.sqrt(variance / people);
  return { low: middle - half, high: middle + half };
}
