import type { AppContext } from '../../../context.ts';
import { provenanceOf } from '../../../query/selection/provenance.ts';
import { at } from '../../../shared/assert.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { coversMost, NOTHING_TO_COMPARE } from '../../events/index.ts';
import { type Breakdown, type Named, toDimensions } from '../resolve/breakdown.ts';
import { ask, inApp, type Resolved } from '../resolve/resolved.ts';
import type { Selection } from '../resolve/selection.model.ts';
import { resolveBuckets, toMicros } from '../resolve/window.ts';
import type { EventSeries, SeriesFigures, SeriesQuestionAnswer } from './answer.model.ts';
import * as present from './present.ts';
import type { SeriesQuestion } from './question.ts';

const MAX_BUCKETS_OF_PAIRS = 128;

export async function isComparable(
  ctx: AppContext<'queries' | 'sql'>,
  { buckets, compare, previous }: present.Layout,
  { environment }: Pick<Resolved<unknown>, 'environment'>,
): Promise<boolean> {
  if (!compare) return true;
  const [from, to] = previous;
  const [fromMs, toMs] = [at(buckets.boundariesMs, from), at(buckets.boundariesMs, to)];
  return coversMost(ctx, { fromMs, toMs, environment });
}

const NO_CHANGES = { peopleChange: null, eventsChange: null };

/** No growth against days before the app existed. */
const withoutChange = <T extends SeriesFigures>(figures: T): T => ({
  ...figures,
  totals: { ...figures.totals, ...NO_CHANGES },
});

type Series = SeriesQuestionAnswer['series'][number];

const namedBy =
  ([first, second]: readonly Named<unknown>[]) =>
  ({ key, crossed, ...figures }: Series): Series => ({
    key: first?.nameOf(key) ?? key,
    ...(crossed && { crossed: { ...crossed, key: second?.nameOf(crossed.key) ?? crossed.key } }),
    ...figures,
  });

const selectionKey = ({ events }: Selection): string => events?.join(', ') ?? 'anything';

/** `active`: with DAU, WAU and MAU. */
export type SeriesInput = SeriesQuestion & { active?: boolean };

/** Without the unfinished interval. */
export async function answerSeries(
  ctx: AppContext<'queries' | 'sql'>,
  resolved: Resolved<SeriesInput>,
): Promise<SeriesQuestionAnswer & Pick<EventSeries, 'active'>> {
  const { question, timezone, environment, now } = resolved;
  const { kind, series: selections, interval = 'day', compare = true, active = false } = question;
  const breakdown: Breakdown = question.breakdown;
  if (breakdown !== undefined && selections.length > 1) {
    throw invalidInput('breakdown', 'needs one series');
  }
  const bys = toDimensions(resolved);
  const [by, crossed] = bys;
  const lookback = active ? present.LOOKBACK_DAYS : 0;
  const most = crossed && MAX_BUCKETS_OF_PAIRS;
  const buckets = resolveBuckets(resolved, { compare, lookback, ...(most && { most }) });
  const layout = present.toLayout(buckets, compare, active);
  const asked = ask(ctx, 'series', {
    ...inApp(ctx, resolved, selections),
    ...{ selections, names: null, filters: {}, breakdown: by?.by ?? null },
    ...(crossed && { crossed: crossed.by }),
    boundariesUs: toMicros(buckets.boundariesMs),
    valuesFrom: buckets.first,
    ranges: present.toRanges(layout),
  });
  // At once: asked afterwards it would wait for what others asked meanwhile.
  const [answer, isCompared] = await Promise.all([asked, isComparable(ctx, layout, resolved)]);
  const shown = <T extends SeriesFigures>(figures: T): T =>
    isCompared ? figures : withoutChange(figures);
  const total = shown(present.toFigures(answer.total, layout));
  const counted = present.toNamedSeries(answer, layout).map(shown);
  const figures = counted.length === 0 ? [total] : counted;
  return {
    ...{ kind, window: present.shownWindow(layout), interval, timezone, environment, ...total },
    series: by
      ? counted.map(namedBy(bys))
      : selections.map((selection, index) => {
          const { totals, points } = at(figures, index);
          return { key: selectionKey(selection), totals, points };
        }),
    ...(!isCompared && { notice: NOTHING_TO_COMPARE }),
    ...(active && { active: present.toActive(answer.total, layout) }),
    computedAt: now.toISOString(),
    ...provenanceOf(answer),
    ...(by && { breakdown: answer.brokenDown ?? [] }),
  };
}
