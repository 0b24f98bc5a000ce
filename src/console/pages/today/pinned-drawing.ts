import type { Answer, SavedQuestion } from '../../../../clients/api/src/index.ts';
import { type Ask, askOf, DOORS } from '../../state/ask.ts';
import type { Funnel } from '../../state/funnels.ts';
import type { PinnedView } from '../../state/pins.ts';
import { lineIn } from '../../state/sent-values.ts';
import { questions } from '../../texts/questions.ts';
import { askAt, openedAt } from '../questions/asked-at.ts';
import { type Drawing, formatOf, linesDrawing } from '../trends/drawing.ts';
import { linesOf } from '../trends/lines.ts';
import { placeOf } from '../trends/places.ts';

export type Parameters = Readonly<Record<string, string | undefined>>;
export type Drawn = Extract<Answer, { kind: 'series' | 'measures' | 'lifecycle' }>;

const STATES = ['new', 'returning', 'resurrected', 'dormant'] as const;
const PEOPLE = formatOf({ kind: 'trend', series: [], measure: { of: 'people' } });

export function askedOf(
  { page, query }: PinnedView,
  saved: Pick<SavedQuestion, 'id' | 'question'> | undefined,
  funnels: readonly Funnel[],
): { ask: Ask; parameters: Parameters } | undefined {
  const said = Object.fromEntries(new URLSearchParams(query));
  const parameters = saved ? openedAt(said, saved, funnels) : said;
  const door = saved ? DOORS[askOf(saved.question).kind] : page;
  const { funnel = funnels[0]?.id, q } = parameters;
  const isGone = door === 'funnels' && q === undefined && funnels.every(({ id }) => id !== funnel);
  if (door === 'questions' || isGone) return undefined;
  return { ask: askAt(door, parameters, funnels), parameters };
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
