import { useMemo } from 'preact/hooks';
import { api } from '../../state/api.ts';
import type { Days } from '../../state/days.ts';
import { useApi } from '../../state/use-api.ts';
import { chartMarks, PENDING } from './marks-of.ts';

export type Mark = Awaited<ReturnType<typeof api.listMarks>>['marks'][number];

export function useMarks(appId: string, window: number | Days, enabled = true) {
  const query = typeof window === 'number' ? { days: window } : window;
  const marks = useApi(api.listMarks, { id: appId, query }, { enabled }).value.data?.marks;
  const drawn = useMemo(() => (marks ? chartMarks(marks) : PENDING), [marks]);
  return { marks, drawn };
}
