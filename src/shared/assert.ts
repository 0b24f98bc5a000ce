/** An impossible state: a bug, not bad input. */
export class AssertionError extends Error {
  override name = 'AssertionError';
}

/** In loops over all events `numbers[index] ?? outside()` saves a call per number. */
export function outside(message = 'An index is outside its array.'): never {
  throw new AssertionError(message);
}

export function at<T>(array: ArrayLike<T>, index: number): T {
  const value = array[index];
  return value === undefined
    ? outside(`Index ${index} is outside an array of ${array.length}.`)
    : value;
}

/** `why` the value cannot be missing. */
export function must<T>(value: T, why: string): NonNullable<T> {
  if (value === undefined || value === null) throw new AssertionError(`Missing: ${why}.`);
  return value;
}

/** For aggregates and `RETURNING`. */
export function onlyRow<T>(rows: ArrayLike<T>): T {
  if (rows.length !== 1) throw new AssertionError(`${rows.length} rows where there is always one.`);
  return at(rows, 0);
}
