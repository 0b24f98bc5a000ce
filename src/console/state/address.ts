import { useLocation } from 'preact-iso';
import { type AddressChange, changedQuery } from './address-query.ts';

/** Everything that stands in the address, and one step to change several parameters of it. */
export function useAddress() {
  const { path, query, route } = useLocation();
  const change = (values: AddressChange, how: { isBackSkipped?: boolean } = {}) =>
    route(`${path}${changedQuery(location.search, values)}`, how.isBackSkipped);
  return { path, query, change };
}

export function useSetting(name: string, fallback: string): [string, (value: string) => void] {
  const { query, change } = useAddress();
  return [
    query[name] ?? fallback,
    (value) => change({ [name]: value === fallback ? undefined : value }),
  ];
}
