import { type ChartMark, chartMarks } from '../parts/chart/marks-of.ts';
import { api } from './api.ts';
import { useQuery } from './query.ts';

export type Mark = Awaited<ReturnType<typeof api.listMarks>>['marks'][number];

const NONE: readonly ChartMark[] = [];

/** What happened to an app in these days: versions, experiments, prices, notes. */
export function useMarks(appId: string, days: number, enabled = true) {
  const asked = useQuery(
    `marks ${appId} ${days}`,
    async (signal) => {
      const { marks } = await api.listMarks({ id: appId, query: { days } }, { signal });
      return { marks, drawn: chartMarks(marks) };
    },
    { enabled },
  );
  return {
    marks: asked.value.data?.marks,
    drawn: asked.value.data?.drawn ?? NONE,
    refetch: asked.refetch,
  };
}
