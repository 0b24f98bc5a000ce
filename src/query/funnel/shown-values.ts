const MAX_SHOWN_VALUES = 20;
const REST = 'other';

export function largest(
  sizes: ReadonlyMap<number, number>,
  values: ReadonlyMap<number, string>,
): { code: number; value: string }[] {
  const ranked = [...sizes]
    .map(([code, people]) => ({ code, people, value: values.get(code) ?? REST }))
    .toSorted((a, b) => b.people - a.people || (a.value < b.value ? -1 : 1));
  const named = ranked.filter(({ code }) => values.has(code));
  if (named.length === ranked.length && named.length <= MAX_SHOWN_VALUES) return named;
  return named.filter(({ value }) => value !== REST).slice(0, MAX_SHOWN_VALUES);
}

export function shownValues(sizes: ReadonlyMap<string, number>): string[] {
  const values = new Map([...sizes.keys()].map((value, code) => [code, value]));
  const coded = new Map([...sizes.values()].map((people, code) => [code, people]));
  return largest(coded, values).map(({ value }) => value);
}
