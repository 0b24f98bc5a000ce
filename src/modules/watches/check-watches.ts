import type { SystemContext, Deps } from '../../context.ts';
import { type App, withApp } from '../../shared/app.ts';
import { at } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { MINUTE_MS, SECOND_MS, toIso } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';
import { type WatchCheckInput, watchCheckContract } from '../../temporal/contracts/watches.ts';
import { ensureSchedules } from '../../temporal/ensure.ts';
import { listApps } from '../apps/index.ts';
import { enqueueMessage } from '../messages/index.ts';
import { endCheck, insertMissingChecks, watchSchedules } from './checks-queries.ts';
import { readFigure } from './figure.ts';
import { type DueWatch, failLook, selectDueWatches, settleLook } from './looks-queries.ts';
import type { WatchLook } from './model.ts';
import { judge, stateAfter } from './rules/judge.ts';
import { watchLine } from './watch-line.ts';

/** More than the looks that a history shows, of watches by week too. */
const KEEP_DAYS = 730;

export const ensureWatchChecks = ensureSchedules(watchSchedules, watchCheckContract);

export async function reconcileWatches({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await insertMissingChecks(sql);
  await watchSchedules.ensureAgain(sql);
  await deleteOldRows(sql, 'watch_looks', KEEP_DAYS, 'to_at');
}

type Needs = 'clock' | 'latestExperiment' | 'log' | 'purchaseProfiles' | 'queries' | 'sql';

/** Limit of one watch; the rest of a run is due first in the next. */
const ANSWERED_WITHIN_MS = 20 * SECOND_MS;
const RUN_MS = 8 * MINUTE_MS;
const DUE_AT_ONCE = 1_000;

/** Judges the newest whole interval, once. */
async function look(ctx: SystemContext<Needs>, watch: DueWatch, app: App): Promise<void> {
  const { deps } = ctx;
  const { id, orgId, figure, rule, name } = watch;
  const actor = { kind: 'system' as const };
  const read = await readFigure(withApp({ ...ctx, orgId, actor }, app), watch.question, watch);
  const { fromMs, toMs, value, people } = at(read.points, read.points.length - 1);
  const judged = judge(rule, read);
  const { state, told } = stateAfter(watch.state, judged.verdict);
  const now = deps.clock();
  const seen: WatchLook = {
    ...{ from: toIso(new Date(fromMs)), to: toIso(new Date(toMs)), value, people },
    ...{ ...judged, told, lookedAt: toIso(now) },
  };
  const dueAt = new Date(read.dueMs);
  await deps.sql.begin(async (tx) => {
    const isNew = await settleLook(tx, watch, { state, look: seen, dueAt });
    if (!isNew || told === null) return;
    const text = watchLine({ name, figure, rule, look: seen, ...read });
    // Once by the transaction; a changed watch may tell of the same interval again.
    const messageId = `watch/${id}/${crypto.randomUUID()}`;
    const message = { messageId, appId: app.id, kind: 'watch' as const, text };
    await enqueueMessage(tx, { orgId, at: now }, message);
  });
}

const toReason = (thrown: unknown): string =>
  thrown instanceof AppError
    ? [thrown.message, thrown.hint ?? []].flat().join(' ')
    : 'The question was not answered in time.';

async function lookInTime(
  ctx: SystemContext<Needs>,
  watch: DueWatch,
  app: App,
  run: AbortSignal,
): Promise<void> {
  const { deps } = ctx;
  const signal = AbortSignal.any([run, AbortSignal.timeout(ANSWERED_WITHIN_MS)]);
  try {
    await withTimeout(look({ ...ctx, signal }, watch, app), ANSWERED_WITHIN_MS);
  } catch (err) {
    deps.log.warn({ err, watchId: watch.id }, 'watch could not be looked at; the next run retries');
    await failLook(deps.sql, watch, { error: toReason(err), dueAt: deps.clock() });
  }
}

export async function checkWatches(
  ctx: SystemContext<Needs | 'temporal'>,
  { orgId }: WatchCheckInput,
): Promise<void> {
  const { deps } = ctx;
  if (await endCheck(deps.sql, orgId)) {
    await deps.temporal.unschedule(watchCheckContract, { orgId });
    return;
  }
  const apps = await listApps({ ...ctx, orgId, actor: { kind: 'system' } });
  const active = new Map(apps.flatMap((app) => (app.status === 'active' ? [[app.id, app]] : [])));
  const run = AbortSignal.timeout(RUN_MS);
  const due = await selectDueWatches(deps.sql, { orgId, at: deps.clock(), limit: DUE_AT_ONCE });
  for (const watch of due) {
    if (run.aborted) return;
    const app = active.get(watch.appId);
    if (app) await lookInTime(ctx, watch, app, run);
  }
}
