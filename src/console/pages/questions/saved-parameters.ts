import type { SavedQuestion } from '../../../../clients/api/src/index.ts';
import { askOf } from '../../state/ask.ts';
import type { Funnel } from '../../state/funnels.ts';
import { parametersOf } from './from-page.ts';

export function savedParameters(
  { id, question }: Pick<SavedQuestion, 'id' | 'question'>,
  funnels: readonly Funnel[],
  query: Readonly<Record<string, string | undefined>> = {},
) {
  const { days, from, to, environment } = question;
  const ask = askOf(question);
  const said = (...names: readonly string[]) =>
    names.some((name) => query[name] !== undefined)
      ? Object.fromEntries(names.map((name) => [name, query[name]]))
      : {};
  return {
    ...parametersOf(ask, funnels),
    ...{ saved: id, as: ask.kind },
    ...('interval' in question && question.interval && { interval: question.interval }),
    ...(days !== undefined && { days: String(days) }),
    ...(from !== undefined && to !== undefined && { from, to }),
    ...(environment !== undefined && { environment }),
    ...{
      ...said('days', 'from', 'to'),
      ...said('environment'),
      ...said('interval'),
      ...said('only'),
    },
  };
}
