import { api } from './api.ts';
import { type Question, useQuestion } from './query.ts';
import { OVERVIEW_DAYS } from './sales.ts';
import { question } from './use-api.ts';

export type Summary = Awaited<ReturnType<typeof api.getEventSummary>>;

export const summaryQuestion = (appId: string): Question<Summary> =>
  question(api.getEventSummary, { id: appId, query: { days: OVERVIEW_DAYS } }, appId);

export const useSummary = (appId: string, enabled = true) =>
  useQuestion(summaryQuestion(appId), { enabled });
