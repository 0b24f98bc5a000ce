import type { AppContext } from '../../../context.ts';
import { parseDimension } from '../../../query/selection/dimension.ts';
import type { EventFilters } from '../../../query/selection/filters.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { type Forecast, forecast } from '../../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { firstEventMs, neverSentHint, type QueriedName } from '../../events/index.ts';
import { toSelection } from '../resolve/parameters.model.ts';
import { resolve } from '../resolve/resolve.ts';
import type { Selection } from '../resolve/selection.model.ts';
import { type SeriesInput, answerSeries } from './answer.ts';
import type { EventSeries } from './answer.model.ts';
import { forecastChange } from './change.ts';
import type { SeriesQuery } from './question.ts';

function checkQuery(
  { interval = 'day', active, breakdown }: SeriesQuery,
  names: readonly string[] | undefined,
): void {
  const several = names !== undefined && names.length > 1;
  if (breakdown !== undefined && several) {
    throw invalidInput('breakdown', 'needs one name, or none for all events');
  }
  if (active && (interval !== 'day' || breakdown !== undefined || several)) {
    throw invalidInput('active', 'needs interval=day, at most one name and no breakdown');
  }
}

/** For ratios and changes, which need fifty people. */
async function forecastSeries(
  ctx: AppContext<'queries'>,
  selection: Selection,
  { window, totals, points, environment, computedAt }: EventSeries,
): Promise<Forecast | null> {
  const { previousPeople } = totals;
  const last = points.at(-1);
  const present = last?.partial ? last.people : 0;
  const people = Math.max(totals.people, present);
  const isCompared = previousPeople !== null;
  if (people >= MINIMUM_PEOPLE && (!isCompared || previousPeople >= MINIMUM_PEOPLE)) return null;
  const [fromMs, nowMs] = [Date.parse(window.from), Date.parse(computedAt)];
  const toMs = Date.parse(window.to);
  const firstMs = await firstEventMs(ctx, { selection, environment, fromMs, toMs });
  const pace = { people, firstMs, fromMs, toMs, nowMs };
  if (people < MINIMUM_PEOPLE || previousPeople === null) return forecast(pace);
  const finishedMs = Date.parse(window.finishedThrough);
  const counts = { people: totals.people, present, previousPeople };
  return forecastChange({ ...pace, ...counts, finishedMs });
}

const UNKNOWN = 'unknown';

const isEmpty = (points: EventSeries['points']): boolean =>
  points.every(({ events }) => events === 0);

/** Only names without events can be names that were never sent. */
function namesNotFound(
  {
    names,
    by,
    property,
  }: { names: string[] | undefined; by: string | undefined } & Pick<EventFilters, 'property'>,
  { series, points }: EventSeries,
): QueriedName[] {
  const dimension = by === undefined ? null : parseDimension(by);
  const nobodySaid = series.every(({ key }) => key === UNKNOWN);
  const events = names ?? [null];
  const pointsOf = (name: string) =>
    dimension ? points : (series.find(({ key }) => key === name)?.points ?? []);
  return [
    ...(names ?? []).filter((name) => isEmpty(pointsOf(name))).map((event) => ({ event })),
    ...(property && isEmpty(points) ? events.map((event) => ({ event, ...property })) : []),
    ...(dimension?.kind === 'prop' && nobodySaid
      ? events.map((event) => ({ event, prop: dimension.prop }))
      : []),
  ];
}

export async function readEventSeries(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  { names: text, ...query }: SeriesQuery,
): Promise<EventSeries> {
  const names = text === undefined ? undefined : [...new Set(text.split(','))];
  checkQuery(query, names);
  const { selection, filters } = toSelection(query);
  const series = names?.map((name) => ({ ...selection, events: [name] })) ?? [selection];
  const question: SeriesInput = { ...query, kind: 'series', series };
  const resolved = await resolve(ctx, question);
  const { kind: _, breakdown: _of, ...answer } = await answerSeries(ctx, resolved);
  const isOfAll = names === undefined && query.breakdown === undefined;
  const report = { ...answer, ...(isOfAll && { series: [] }) };
  const notFound = namesNotFound({ names, by: query.breakdown, ...filters }, report);
  const meant = { ...selection, ...(names && { events: names }) };
  const found = await forecastSeries(ctx, meant, report);
  const hint = await neverSentHint(ctx, notFound, report.environment);
  return { ...report, ...(found && { forecast: found }), ...hint };
}
