import { api } from './api.ts';
import { useApi } from './use-api.ts';

export function useSavedQuestions(appId: string) {
  return useApi(api.listQuestions, { id: appId });
}
