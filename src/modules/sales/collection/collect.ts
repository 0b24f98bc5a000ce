import type { Deps, SystemContext } from '../../../context.ts';
import type { StoreKey } from '../../../providers/store/port.ts';
import { isTransient, StoreFault } from '../../../providers/store/port.ts';
import { addDays, pacificDay } from '../../../shared/pacific.ts';
import { DAY_MS, SECOND_MS, sleep } from '../../../shared/time.ts';
import type { CollectInput, CollectResult } from '../../../temporal/contracts/store.ts';
import { isCovered } from '../days/day-state.ts';
import { type DayIndex, dayKey, type Plan, planDays, type ReportDay } from '../days/plan.ts';
import { selectDays, type VendorScope } from '../days/queries.ts';
import { type CollectedDay, collectDay, recordFault } from './collect-day.ts';
import { isPromoted, type KeyRecord, selectKey } from './connection-queries.ts';
import { noteEnd, overBudget, stillOverBudget } from './note-end.ts';
import { openKey } from './opened-key.ts';
import { endsRun, toSyncError } from './sync-error.ts';
import { markChecked, rememberVersion, selectSync, updateSync } from './syncs-queries.ts';

/** About half a minute against a slow store. */
const BATCH_DAYS = 20;
const LANES = 2;
const ATTEMPTS = 3;
const ATTEMPT_PAUSE_MS = SECOND_MS;
/** Requests of the store's hourly limit left to members and other chapters. */
export const RESERVED_REQUESTS = 100;
/** More are the store's fault, not a day's. */
const MAX_FAULTY_DAYS = 5;
const BUDGET_WAIT_MS = 15 * 60 * SECOND_MS;
const RATE_LIMIT_WAIT_MS = 15 * 60 * SECOND_MS;

const TRIALS_REFUSED =
  'Trials are not counted: the key may not read subscription reports (role Admin, Finance or Sales).';

type Batch = {
  deps: Pick<Deps, 'clock' | 'log' | 'objects' | 'sql' | 'store'>;
  record: KeyRecord;
  key: StoreKey;
  versions: Record<string, string>;
  queue: ReportDay[];
  result: CollectResult;
  answered: ReportDay | null;
  faultyDays: number;
  /** Aborted when this attempt has failed or been replaced. */
  ended: AbortController;
};

function newestCovered(records: DayIndex, today: string): string | null {
  for (let age = 1; age <= 400; age += 1) {
    const day = addDays(today, -age);
    if (isCovered(records.get(dayKey('SALES', day))?.state)) return day;
  }
  return null;
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      const again = thrown instanceof StoreFault && isTransient(thrown) && attempt < ATTEMPTS;
      if (!again) throw thrown;
      await sleep(ATTEMPT_PAUSE_MS * attempt);
    }
  }
}

function stopFor(fault: StoreFault): NonNullable<CollectResult['stop']> {
  const { because, message, invalid, keyAccepted } = toSyncError(fault);
  const waitMs =
    fault.kind === 'rate_limited'
      ? (fault.retryAfterSeconds ?? RATE_LIMIT_WAIT_MS / SECOND_MS) * SECOND_MS
      : null;
  return { because, message, invalid, keyAccepted, waitMs };
}

function onlyTrials(fault: StoreFault, { reportType }: ReportDay): boolean {
  return reportType !== 'SALES' && fault.kind === 'role';
}

async function noteDay(batch: Batch, scope: VendorScope, day: ReportDay, done: CollectedDay) {
  const { deps, result } = batch;
  result.checked += 1;
  result.rowsWritten += done.rowsWritten;
  if (done.error === null) batch.answered = day;
  else deps.log.warn({ ...scope, ...day }, done.error);
  if (done.version !== null) {
    batch.versions[day.reportType] = done.version;
    await rememberVersion(deps.sql, scope, day.reportType, done.version);
  }
  if (done.remainingInHour !== null && done.remainingInHour < RESERVED_REQUESTS) {
    result.stop ??= overBudget(BUDGET_WAIT_MS);
  }
}

function noteFault(result: CollectResult, day: ReportDay, thrown: unknown): void {
  if (!(thrown instanceof StoreFault)) throw thrown;
  if (onlyTrials(thrown, day)) result.withoutTrials = true;
  else if (endsRun(thrown)) result.stop ??= stopFor(thrown);
  else throw thrown;
}

/** Throws what the store answers to any request, or to many days. */
async function collectOne(batch: Batch, scope: VendorScope, day: ReportDay): Promise<CollectedDay> {
  const { deps, key, versions } = batch;
  const work = () => collectDay(deps, key, { ...scope, ...day }, versions);
  try {
    const done = await withRetries(work);
    return done.error === null ? done : await work();
  } catch (thrown) {
    const isOfDay = thrown instanceof StoreFault && endsRun(thrown) && !onlyTrials(thrown, day);
    if (!isOfDay || thrown.kind === 'rate_limited' || batch.faultyDays >= MAX_FAULTY_DAYS) {
      throw thrown;
    }
  }
  const isOther = batch.answered?.day !== day.day || batch.answered.reportType !== day.reportType;
  const before = { ...day, day: addDays(day.day, -1) };
  const other = (isOther && batch.answered) || before;
  const version = versions[other.reportType] ?? null;
  await deps.store.dailyReport(key, { ...scope, ...other, version });
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    batch.faultyDays += 1;
    return recordFault(deps, { ...scope, ...day }, thrown);
  }
}

async function lane(batch: Batch, scope: VendorScope): Promise<void> {
  const { deps, record, result } = batch;
  while (result.stop === null && !batch.ended.signal.aborted) {
    const day = batch.queue.shift();
    if (!day) return;
    if (result.withoutTrials && day.reportType !== 'SALES') continue;
    // Removed or replaced meanwhile.
    if (!(await isPromoted(deps.sql, record.orgId, record.connectionId))) return;
    try {
      await noteDay(batch, scope, day, await collectOne(batch, scope, day));
    } catch (thrown) {
      noteFault(result, day, thrown);
    }
  }
}

async function runLanes(batch: Batch, scope: VendorScope): Promise<void> {
  const lanes = Array.from({ length: LANES }, () =>
    lane(batch, scope).catch((thrown: unknown) => {
      batch.ended.abort();
      throw thrown;
    }),
  );
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Ignores a start in the future or days ago. */
function beganAt({ beganAtMs }: CollectInput, nowMs: number): number {
  const isCredible = beganAtMs !== null && beganAtMs <= nowMs && beganAtMs > nowMs - DAY_MS;
  return isCredible ? beganAtMs : nowMs;
}

async function planNow(
  deps: Pick<Deps, 'clock' | 'sql'>,
  scope: VendorScope,
  force: boolean,
  result: CollectResult,
) {
  const now = deps.clock();
  const records = await selectDays(deps.sql, scope);
  const forcedAt = force ? new Date(result.beganAtMs) : null;
  const plan: Plan = planDays({ orgId: scope.orgId, now, records, forcedAt });
  const due = plan.due.filter((day) => !result.withoutTrials || day.reportType === 'SALES');
  return { plan, due, coveredThrough: newestCovered(records, pacificDay(now)) };
}

export async function readProgress(deps: Pick<Deps, 'clock' | 'sql'>, scope: VendorScope) {
  const now = deps.clock();
  const records = await selectDays(deps.sql, scope);
  const plan = planDays({ orgId: scope.orgId, now, records, forcedAt: null });
  const coveredThrough = newestCovered(records, pacificDay(now));
  return { daysRemaining: plan.historyRemaining, coveredThrough };
}

/**
 * Newest first, each stored at once. Throws only for our own failures; `lost` aborts a replaced
 * attempt.
 */
export async function collectDays(
  { deps }: SystemContext<'clock' | 'log' | 'objects' | 'secrets' | 'sql' | 'store'>,
  input: CollectInput,
  lost?: AbortSignal,
): Promise<CollectResult> {
  const result: CollectResult = {
    beganAtMs: beganAt(input, deps.clock().getTime()),
    checked: 0,
    rowsWritten: 0,
    daysRemaining: 0,
    coveredThrough: null,
    more: false,
    withoutTrials: input.withoutTrials,
    stop: null,
    ended: false,
  };
  const record = await selectKey(deps.sql, input.orgId);
  if (!record) return { ...result, ended: true };
  const scope = { orgId: input.orgId, vendorNumber: record.vendorNumber };
  const before = await planNow(deps, scope, input.force, result);
  const sync = await selectSync(deps.sql, scope);
  result.stop = stillOverBudget(sync, deps.clock());
  const batch: Batch = {
    deps,
    record,
    key: openKey(deps, record),
    versions: { ...sync.versions },
    queue: before.due.slice(0, BATCH_DAYS),
    result,
    answered:
      before.coveredThrough === null ? null : { reportType: 'SALES', day: before.coveredThrough },
    faultyDays: 0,
    ended: new AbortController(),
  };
  lost?.addEventListener('abort', () => batch.ended.abort(), { once: true });
  if (lost?.aborted) batch.ended.abort();
  if (batch.queue.length > 0 && result.stop === null)
    await markChecked(deps.sql, scope, deps.clock());
  await runLanes(batch, scope);
  if (result.withoutTrials !== input.withoutTrials) {
    await updateSync(deps.sql, scope, { trialsError: TRIALS_REFUSED });
  } else if (!input.withoutTrials && result.checked > 0) {
    await updateSync(deps.sql, scope, { trialsError: null });
  }
  await noteEnd(deps, record, result, sync);
  const after = await planNow(deps, scope, input.force, result);
  result.daysRemaining = after.plan.historyRemaining;
  result.coveredThrough = after.coveredThrough;
  result.more = result.stop === null && after.due.length > 0;
  deps.log.info({ ...scope, ...result }, 'store reports collected');
  return result;
}
