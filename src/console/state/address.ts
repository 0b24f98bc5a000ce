import { useLocation } from 'preact-iso';

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

/** Everything that stands in the address, and one step to change several parameters of it. */
export function useAddress() {
  const { path, query, url, route } = useLocation();
  const change = (values: AddressChange) =>
    route(`${path}${changedQuery(location.search, values)}`);
  return { path, query, url, change };
}

/** A setting of a page that stands in its address, so that a link opens the same view. */
export function useSetting(name: string, fallback: string): [string, (value: string) => void] {
  const { query, change } = useAddress();
  return [
    query[name] ?? fallback,
    (value) => change({ [name]: value === fallback ? undefined : value }),
  ];
}
