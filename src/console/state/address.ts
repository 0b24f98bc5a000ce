import { useLocation } from 'preact-iso';

/** A setting of a page that stands in its address, so that a link opens the same view. */
export function useSetting(name: string, fallback: string): [string, (value: string) => void] {
  const { path, query, route } = useLocation();
  const set = (value: string) => {
    const next = new URLSearchParams(query);
    if (value === fallback) next.delete(name);
    else next.set(name, value);
    route(next.size > 0 ? `${path}?${next}` : path);
  };
  return [query[name] ?? fallback, set];
}
