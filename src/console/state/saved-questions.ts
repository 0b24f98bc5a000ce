import type { SavedQuestion } from '../../../clients/api/src/index.ts';
import { api } from './api.ts';
import { askOf, askParameters } from './ask.ts';
import { useQuery } from './query.ts';

export function useSavedQuestions(appId: string) {
  return useQuery(`saved questions ${appId}`, (signal) =>
    api.listQuestions({ id: appId }, { signal }),
  );
}

export function savedParameters({ id, question }: SavedQuestion): Record<string, string> {
  const { days, from, to, environment } = question;
  return {
    saved: id,
    ...askParameters(askOf(question)),
    ...('interval' in question && question.interval && { interval: question.interval }),
    ...(days !== undefined && { days: String(days) }),
    ...(from !== undefined && to !== undefined && { from, to }),
    ...(environment !== undefined && { environment }),
  };
}
