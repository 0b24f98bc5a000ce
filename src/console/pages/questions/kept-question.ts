import type { Question } from '../../../../clients/api/src/index.ts';
import { questionsOf } from '../../state/ask.ts';
import type { QuestionSettings } from './settings.ts';

export const isRatio = ({ query }: QuestionSettings): boolean => query.chart === 'ratio';

export function questionIn(settings: QuestionSettings): Question | undefined {
  const { ask, frame, range } = settings;
  if (isRatio(settings)) return undefined;
  const { preset, from, to } = range;
  const window = typeof preset === 'number' ? { days: preset } : { from, to };
  const [only, second] = questionsOf(ask, { ...frame, window });
  if (!only || second) return undefined;
  if (only.kind !== 'series' || ask.kind !== 'trend' || ask.measure.of !== 'events') return only;
  const { series, breakdown, segments: _, kind: __, ...others } = only;
  const [selection = {}, another] = series;
  if (another || Array.isArray(breakdown)) return undefined;
  const by = breakdown !== undefined && { breakdown };
  return { ...others, ...by, kind: 'measures', selection, measure: ask.measure };
}
