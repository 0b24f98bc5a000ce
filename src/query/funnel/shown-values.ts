const MAX_SHOWN_VALUES = 20;

/** Codes without a value are of the rest. */
export function largest(
  sizes: ReadonlyMap<number, number>,
  values: ReadonlyMap<number, string>,
): { code: number; value: string }[] {
  return [...sizes]
    .flatMap(([code, people]) => {
      const value = values.get(code);
      return value === undefined ? [] : [{ code, people, value }];
    })
    .toSorted((a, b) => b.people - a.people || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_SHOWN_VALUES);
}

export function shownValues(sizes: ReadonlyMap<string, number>): string[] {
  const values = new Map([...sizes.keys()].map((value, code) => [code, value]));
  const coded = new Map([...sizes.values()].map((people, code) => [code, people]));
  return largest(coded, values).map(({ value }) => value);
}
