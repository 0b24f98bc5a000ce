/** A state that cannot be; the program is wrong, not its input. */
export class AssertionError extends Error {
  override name = 'AssertionError';
}

/**
 * Throws `AssertionError`. In loops over every event `numbers[index] ?? outside()` stands for `at`,
 * which costs them a call for each number.
 */
export function outside(message = 'An index is outside its array.'): never {
  throw new AssertionError(message);
}

/** The element at `index`. Throws `AssertionError` outside the array. */
export function at<T>(array: ArrayLike<T>, index: number): T {
  const value = array[index];
  return value === undefined
    ? outside(`Index ${index} is outside an array of ${array.length}.`)
    : value;
}

/** The value, which cannot be missing because of `why`. Throws `AssertionError` where it is. */
export function must<T>(value: T, why: string): NonNullable<T> {
  if (value === undefined || value === null) throw new AssertionError(`Missing: ${why}.`);
  return value;
}

/** The only row of an answer that always has one, such as an aggregate or `RETURNING`. */
export function onlyRow<T>(rows: ArrayLike<T>): T {
  if (rows.length !== 1) throw new AssertionError(`${rows.length} rows where there is always one.`);
  return at(rows, 0);
}
