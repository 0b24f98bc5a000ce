import { api } from './api.ts';
import { useQuery } from './query.ts';

export function useSavedQuestions(appId: string) {
  return useQuery(`saved questions ${appId}`, (signal) =>
    api.listQuestions({ id: appId }, { signal }),
  );
}
