import { api } from './api.ts';
import { useQuestion } from './question.ts';

export type Mark = Awaited<ReturnType<typeof api.listMarks>>['marks'][number];

const NONE: readonly { day: string; label: string }[] = [];

/** What happened to an app in these days: versions, experiments, prices, notes. */
export function useMarks(appId: string, days: number, wanted = true) {
  const asked = useQuestion(
    `marks ${appId} ${days}`,
    async (signal) => {
      const { marks } = await api.listMarks({ id: appId, query: { days } }, { signal });
      return { marks, drawn: marks.map(({ day, text }) => ({ day, label: text })) };
    },
    undefined,
    wanted,
  );
  return {
    marks: asked.value.answer?.marks,
    drawn: asked.value.answer?.drawn ?? NONE,
    again: asked.again,
  };
}
