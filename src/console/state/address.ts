import { useLocation } from 'preact-iso';
import { type AddressChange, changedQuery } from './address-query.ts';

export function useAddress() {
  const { path, query, route } = useLocation();
  const change = (values: AddressChange, how: { isBackSkipped?: boolean } = {}) =>
    route(`${path}${changedQuery(location.search, values)}`, how.isBackSkipped);
  return { path, query, change };
}

/** One of `values`, the first where the address names none of them. */
export function useChoice<T extends string>(
  name: string,
  values: readonly [T, ...T[]],
): [T, (value: string) => void] {
  const [text, set] = useSetting(name, values[0]);
  return [values.find((value) => value === text) ?? values[0], set];
}

export function useSetting(name: string, fallback: string): [string, (value: string) => void] {
  const { query, change } = useAddress();
  return [
    query[name] ?? fallback,
    (value) => change({ [name]: value === fallback ? undefined : value }),
  ];
}
