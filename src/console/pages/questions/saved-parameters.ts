import type { SavedQuestion } from '../../../../clients/api/src/index.ts';
import { askOf } from '../../state/ask.ts';
import type { Funnel } from '../../state/funnels.ts';
import { parametersOf } from './from-page.ts';

export function savedParameters(
  { id, question }: Pick<SavedQuestion, 'id' | 'question'>,
  funnels: readonly Funnel[],
) {
  const { days, from, to, environment } = question;
  const ask = askOf(question);
  const parameters = {
    ...parametersOf(ask, funnels),
    saved: id,
    ...('interval' in question && question.interval && { interval: question.interval }),
    ...(days !== undefined && { days: String(days) }),
    ...(from !== undefined && to !== undefined && { from, to }),
    ...(environment !== undefined && { environment }),
  };
  return parameters;
}
