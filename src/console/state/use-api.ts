import type { CallOptions } from '../../../clients/api/src/index.ts';
import { api } from './api.ts';
import { type Options, type Query, type Question, useQuery } from './query.ts';

type Operation<I, O> = (input: I, options?: CallOptions) => Promise<O>;

const NAMES = new Map<unknown, string>(
  Object.entries(api).map(([name, operation]) => [operation, name]),
);

export const question = <I, O>(operation: Operation<I, O>, input: I, of = ''): Question<O> => ({
  of,
  key: `${NAMES.get(operation)} ${JSON.stringify(input)}`,
  fetch: (signal) => operation(input, { signal }),
});

export function useApi<O>(operation: Operation<undefined, O>): Query<O>;
export function useApi<I, O>(operation: Operation<I, O>, input: I, options?: Options): Query<O>;
export function useApi<I, O>(operation: Operation<I | undefined, O>, input?: I, options?: Options) {
  const { key, fetch } = question(operation, input);
  return useQuery(key, fetch, options);
}
