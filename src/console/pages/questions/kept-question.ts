import type { Question } from '../../../../clients/api/src/index.ts';
import { type AddressChange, changedQuery } from '../../state/address-query.ts';
import { questionsOf } from '../../state/ask.ts';
import type { PinnedView } from '../../state/pins.ts';
import { questions as t } from '../../texts/questions.ts';
import type { QuestionSettings } from './settings.ts';

type Asked = Pick<QuestionSettings, 'ask' | 'frame' | 'range' | 'query'>;

export const NAME_MAX = 60;

const BESIDE = { point: undefined, of: undefined, behind: undefined, cell: undefined };

const searchOf = (query: AddressChange): string =>
  changedQuery('', { ...query, ...BESIDE, edit: undefined }).slice(1);

/** With how it is drawn, which no question says. */
export function pinOf(
  { door, query }: Pick<QuestionSettings, 'door' | 'query'>,
  { id, name }: { id: string; name: string },
): PinnedView {
  const { draw, compare, only, q } = query;
  const shown = only !== undefined && q === undefined ? query : { draw, compare };
  return { title: name.slice(0, NAME_MAX), page: door, query: searchOf({ ...shown, saved: id }) };
}

/** Or why not. */
function questionIn({ ask, frame, range, query }: Asked): Question | string {
  if (query.chart === 'ratio') return t.noRatio;
  const { preset, from, to } = range;
  if (typeof preset === 'string') return t.onlyDates;
  const window = preset === null ? { from, to } : { days: preset };
  const [only, second] = questionsOf(ask, { ...frame, window });
  if (!only || second) return t.onlyOne;
  if (only.kind !== 'series' || ask.kind !== 'trend' || ask.measure.of !== 'events') return only;
  const { series, breakdown, segments: _, kind: __, ...others } = only;
  const [selection = {}, another] = series;
  if (another || Array.isArray(breakdown)) return t.onlyPeople;
  const by = breakdown !== undefined && { breakdown };
  return { ...others, ...by, kind: 'measures', selection, measure: ask.measure };
}

/** A view where plain words say what no question does. */
export function keptIn(asked: Asked): { question?: Question; view?: string; why?: string } {
  const question = questionIn(asked);
  if (typeof question !== 'string') return { question };
  const { query } = asked;
  return query.q === undefined
    ? { view: searchOf({ ...query, saved: undefined }) }
    : { why: question };
}
