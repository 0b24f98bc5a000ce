const TEXTS_KEPT = 1_000;
const KEPT_CHARACTERS = 100;

/** For recurring texts, such as names; in bounded memory. */
export function memoized<T>(of: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const found = of(text);
    if (kept.size >= TEXTS_KEPT) kept.clear();
    if (text.length <= KEPT_CHARACTERS) kept.set(text, found);
    return found;
  };
}
