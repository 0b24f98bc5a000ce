import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from './api.ts';
import { type Question, useQuestion } from './query.ts';
import { OVERVIEW_DAYS } from './sales.ts';
import { question } from './use-api.ts';

export type Insights = Awaited<ReturnType<typeof api.getInsights>>;

export const insightsQuestion = (appId: string): Question<Insights> =>
  question(api.getInsights, { id: appId, query: { days: OVERVIEW_DAYS } }, appId);

const RETRY_SECONDS = 30;

export function useInsights(appId: string, enabled = true) {
  const isUnsure = useSignal(false);
  const insights = useQuestion(insightsQuestion(appId), {
    enabled,
    everySeconds: isUnsure.value ? RETRY_SECONDS : undefined,
  });
  const { data } = insights.value;
  useEffect(() => {
    isUnsure.value = data !== undefined && hasUnchecked(data);
  }, [data]);
  return insights;
}

/** Then silence is no good news. */
export const hasUnchecked = ({ unchecked }: Insights): boolean => unchecked.length > 0;

/** Days that the store owes are those of all apps. */
export const worthALook = ({ recommendations }: Insights): Insights['recommendations'] =>
  recommendations.filter(
    ({ severity, code }) => severity !== 'info' && code !== 'store_days_missing',
  );
