import type { Answer } from '../../../../clients/api/src/index.ts';
import type { Ask } from '../../state/ask.ts';
import type { Funnel } from '../../state/funnels.ts';
import type { PinnedView } from '../../state/pins.ts';
import { lineIn } from '../../state/sent-values.ts';
import { questions } from '../../texts/questions.ts';
import { askFrom } from '../questions/from-page.ts';
import { type Drawing, formatOf, linesDrawing } from '../trends/drawing.ts';
import { linesOf } from '../trends/lines.ts';
import { placeOf } from '../trends/places.ts';

export type Parameters = Readonly<Record<string, string | undefined>>;
export type Drawn = Extract<Answer, { kind: 'series' | 'measures' | 'lifecycle' }>;

const STATES = ['new', 'returning', 'resurrected', 'dormant'] as const;
const PEOPLE = formatOf({ kind: 'trend', series: [], measure: { of: 'people' } });

export function askOfView(
  { page }: PinnedView,
  parameters: Parameters,
  funnels: readonly Funnel[],
): Ask | undefined {
  if (page === 'questions') return undefined;
  const { funnel } = parameters;
  const known = funnel === undefined ? funnels : funnels.filter(({ id }) => id === funnel);
  return askFrom(page, { breakdown: 'none', ...parameters }, known);
}

export function drawingOf(
  answer: Drawn,
  ask: Ask,
  { only, compare }: Parameters,
): Omit<Drawing, 'starts' | 'peopleOf'> {
  if (answer.kind === 'lifecycle') {
    const { interval, points, timezone } = answer;
    return {
      unit: interval,
      days: points.map(({ from }) => placeOf(from, timezone, interval)),
      series: STATES.map((state) => ({
        ...{ key: state, name: questions.states[state] },
        values: points.map((point) => point[state]),
      })),
      format: PEOPLE,
      isLastPartial: points.at(-1)?.partial ?? false,
    };
  }
  if (ask.kind !== 'trend') throw new Error('It is a trend.');
  const asked = { ask, first: answer, others: [] };
  const options = { only: lineIn(only), isCompared: compare === 'previous' };
  return linesDrawing(asked, linesOf(asked, null), options);
}
