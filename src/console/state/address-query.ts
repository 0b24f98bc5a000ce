/** Values of parameters to set; undefined takes one away. */
export type AddressChange = Readonly<Record<string, string | undefined>>;

/** The query of an address with some parameters changed, with its `?` unless it is empty. */
export function changedQuery(query: string, change: AddressChange): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next.size > 0 ? `?${next}` : '';
}
