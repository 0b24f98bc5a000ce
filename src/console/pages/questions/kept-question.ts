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
  const { draw, compare, only } = query;
  const shown = changedQuery('', { draw, compare, only, saved: id }).slice(1);
  return { title: name.slice(0, NAME_MAX), page: door, query: shown };
}

/** Or why it cannot be saved. */
function questionIn({ ask, frame, range, query }: Asked): Question | string {
  if (query.chart === 'ratio') return t.noRatio;
  const { preset, from, to } = range;
  const window = typeof preset === 'number' ? { days: preset } : { from, to };
  const [only, second] = questionsOf(ask, { ...frame, window });
  if (!only || second) return t.onlyOne;
  if (typeof preset === 'string') return t.onlyDates;
  if (only.kind !== 'series' || ask.kind !== 'trend' || ask.measure.of !== 'events') return only;
  const { series, breakdown, segments: _, kind: __, ...others } = only;
  const [selection = {}, another] = series;
  if (another || Array.isArray(breakdown)) return t.onlyPeople;
  const by = breakdown !== undefined && { breakdown };
  return { ...others, ...by, kind: 'measures', selection, measure: ask.measure };
}

const VIEW_MAX = 2_000;

export function keptIn(asked: Asked): { question?: Question; view?: string; why?: string } {
  const question = questionIn(asked);
  if (typeof question !== 'string') return { question };
  const { query } = asked;
  const view = searchOf({ ...query, saved: undefined });
  const isOne = question !== t.noRatio && question !== t.onlyOne && view.length <= VIEW_MAX;
  const isView = query.q === undefined || isOne;
  return isView ? { view } : { why: question };
}
