import { computed } from '@preact/signals';
import type { Query } from './query.ts';

export const mapped = <T, U>(query: Query<T>, map: (data: T) => U): Query<U> =>
  Object.assign(
    computed(() => {
      const { data, ...state } = query.value;
      return { ...state, data: data === undefined ? undefined : map(data) };
    }),
    { refetch: query.refetch },
  );
