export type AddressChange = Readonly<Record<string, string | undefined>>;

export function changedQuery(query: string, change: AddressChange): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next.size > 0 ? `?${next}` : '';
}
