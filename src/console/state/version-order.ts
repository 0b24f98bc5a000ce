const collator = new Intl.Collator('en', { numeric: true });

/** Older versions first: 2.9.1 before 2.10.0. */
export const byVersion = (one: string, other: string): number => collator.compare(one, other);
