import type { AppContext } from '../../context.ts';
import { at } from '../../shared/assert.ts';
import { calendarBoundaries, startOfDay } from '../../shared/calendar.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { toIso } from '../../shared/time.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import { selectSettings } from '../app-settings/index.ts';
import { selectExperiments } from '../experiments/index.ts';
import { listPriceChanges, readReleases } from '../sales/index.ts';
import * as model from './model.ts';
import { priceMarks } from './price-marks.ts';
import { selectNotes } from './queries.ts';
import { type MarksWindow, marksWindow, toLocalDay } from './window.ts';

type Needs = 'clock' | 'queries' | 'sql';

/** A version seen earlier than the window is not new. */
const LOOKBACK_DAYS = 60;

/** Never the unfinished day. */
async function versionMarks(
  { deps, orgId, app }: AppContext<Needs>,
  { fromMs, toMs, timezone }: MarksWindow,
): Promise<model.Mark[]> {
  const overMs = Math.min(toMs, startOfDay(deps.clock().getTime(), timezone));
  if (overMs <= fromMs) return [];
  const firstMs = startOfDay(fromMs, timezone, -LOOKBACK_DAYS);
  const boundariesMs = calendarBoundaries({ fromMs: firstMs, toMs: overMs }, 'day', timezone);
  const { versions } = await deps.queries.ask('versions', {
    orgId,
    appId: app.id,
    environment: DEFAULT_SCOPE,
    boundariesUs: boundariesMs.map((ms) => ms * 1_000),
    minimumPeople: model.SEEN_PEOPLE,
    minimumShare: model.SEEN_SHARE,
  });
  return versions
    .map(({ appVersion, day }) => ({ appVersion, ms: at(boundariesMs, day) }))
    .filter(({ ms }) => ms >= fromMs)
    .map(({ appVersion, ms }) => ({
      kind: 'version',
      day: toLocalDay(ms, timezone),
      at: null,
      text: `Version ${appVersion} first seen`,
      id: null,
      author: null,
      appVersion,
    }));
}

async function experimentMarks(
  { deps, scope }: AppContext<Needs>,
  { fromMs, toMs, timezone }: MarksWindow,
): Promise<model.Mark[]> {
  const experiments = await selectExperiments(deps.sql, scope);
  return experiments.flatMap(({ id, name, startedAt, stoppedAt }) => {
    const mark = (kind: model.MarkKind, instant: string | null, what: string): model.Mark[] => {
      const ms = instant === null ? null : Date.parse(instant);
      if (ms === null || ms < fromMs || ms >= toMs) return [];
      const text = `Experiment “${name}” ${what}`;
      const day = toLocalDay(ms, timezone);
      return [{ kind, day, at: instant, text, id: null, author: null, experimentId: id }];
    };
    return [
      ...mark('experiment_started', startedAt, 'started'),
      ...mark('experiment_stopped', stoppedAt, 'stopped'),
    ];
  });
}

/** The store does not report the day of others. */
async function releaseMarks(
  { deps, orgId, app }: AppContext<Needs>,
  { fromMs, toMs, timezone }: MarksWindow,
): Promise<model.Mark[]> {
  const { storeAppId } = app;
  if (storeAppId === null) return [];
  const releases = await readReleases(deps, { orgId, storeAppId });
  return releases.flatMap(({ version, onSaleFrom, isSeen }): model.Mark[] => {
    const ms = onSaleFrom.getTime();
    if (!isSeen || ms < fromMs || ms >= toMs) return [];
    const [day, at] = [toLocalDay(ms, timezone), toIso(onSaleFrom)];
    const text = `Version ${version} on sale in the store`;
    return [{ kind: 'release', day, at, text, id: null, author: null, appVersion: version }];
  });
}

const inOrder = (a: model.Mark, b: model.Mark) =>
  a.day.localeCompare(b.day) || (a.at ?? '').localeCompare(b.at ?? '');

export async function listMarks(
  ctx: AppContext<Needs>,
  query: model.MarksQuery,
): Promise<model.Marks> {
  const { deps, scope } = ctx;
  const timezone =
    query.timezone === undefined
      ? (await selectSettings(deps.sql, scope)).timezone
      : parseTimezone(query.timezone);
  const window = marksWindow(query, timezone, deps.clock().getTime());
  const { from, to } = window;
  const [versions, releases, experiments, changes, notes] = await Promise.all([
    versionMarks(ctx, window),
    releaseMarks(ctx, window),
    experimentMarks(ctx, window),
    listPriceChanges(deps, { ...scope, from, to }),
    selectNotes(deps.sql, scope, window),
  ]);
  const marks = [
    ...[...versions, ...releases, ...experiments],
    ...[...priceMarks(changes), ...notes],
  ].toSorted(inOrder);
  const omitted = Math.max(0, marks.length - model.MAX_MARKS);
  return { from, to, timezone, marks: marks.slice(omitted), omitted };
}
