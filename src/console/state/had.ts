import type { Query } from './query.ts';

/** Undefined while on its way, null where nothing could be had. */
export type Had<T> = T | null | undefined;

export function had<T, Out>(
  query: Query<T> | undefined,
  of: (data: T) => Out | null | undefined,
): Had<Out> {
  const { data, error } = query?.value ?? {};
  if (data !== undefined) return of(data) ?? null;
  return error ? null : undefined;
}
