import { api } from '../../state/api.ts';
import type { Days } from '../../state/days.ts';
import { useQuery } from '../../state/query.ts';
import { chartMarks, PENDING } from './marks-of.ts';

export type Mark = Awaited<ReturnType<typeof api.listMarks>>['marks'][number];

export function useMarks(appId: string, window: number | Days, enabled = true) {
  const query = typeof window === 'number' ? { days: window } : window;
  const asked = useQuery(
    `marks ${appId} ${Object.values(query).join(' ')}`,
    async (signal) => {
      const { marks } = await api.listMarks({ id: appId, query }, { signal });
      return { marks, drawn: chartMarks(marks) };
    },
    { enabled },
  );
  return {
    marks: asked.value.data?.marks,
    drawn: asked.value.data?.drawn ?? PENDING,
  };
}
