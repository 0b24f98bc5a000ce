import { cron } from '@elysiajs/cron';
import { type Static, Type } from '@sinclair/typebox';
import type { Deps, SystemContext } from '../../../context.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { Named } from '../../../shared/schema.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import { withTimeout } from '../../../shared/timeout.ts';
import { takeTurn } from '../../../storage/schedule.ts';
import { ratesRefreshContract } from '../../../temporal/contracts/store.ts';
import { askActor } from '../collection/actor.ts';
import { connectedOrganizations, selectKey } from '../collection/connection-queries.ts';
import { selectSync } from '../collection/syncs-queries.ts';

/** Off the full hour, which is crowded. */
const HOURLY = '7 * * * *';
/** Under an hour by more than the clock skew of hosts. */
const APART_MINUTES = 45;

export async function syncAllOnce(deps: Pick<Deps, 'log' | 'sql' | 'temporal'>): Promise<void> {
  try {
    if (!(await takeTurn(deps.sql, 'sync-all', APART_MINUTES))) return;
    const result = await syncAll({ deps, requestId: 'cron' });
    deps.log.info({ ...result, errors: result.errors.length }, 'organizations woken');
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'organizations could not be woken; the next hour tries again');
  }
}

/** An actor takes few updates at a time. Optional: actors wake by themselves. */
export const syncAllHourly = (deps: Pick<Deps, 'log' | 'sql' | 'temporal'>) =>
  cron({ name: 'syncAll', pattern: HOURLY, protect: true, run: () => syncAllOnce(deps) });

const AT_ONCE = 20;
const ANSWER_WITHIN_MS = 25 * SECOND_MS;
const ERRORS_MAX = 100;

export const SyncedAll = Named('SyncedOrganizations', {
  organizations: Type.Integer(),
  synced: Type.Integer(),
  rowsWritten: Type.Integer(),
  /** Past the deadline, or waiting for the store's hourly rate limit. */
  deferred: Type.Integer(),
  errors: Type.Array(Type.Object({ orgId: Type.String(), message: Type.String() })),
});
export type SyncedAll = Static<typeof SyncedAll>;

async function readReason(
  deps: Pick<Deps, 'sql'>,
  orgId: string,
  because: string,
): Promise<string> {
  const key = await selectKey(deps.sql, orgId);
  const sync = key && (await selectSync(deps.sql, key));
  return sync?.lastError ?? `The run was stopped: ${because}.`;
}

const REFUSED = 'credentials_rejected';

async function isRefused({ sql }: Pick<Deps, 'sql'>, orgId: string): Promise<boolean> {
  const key = await selectKey(sql, orgId);
  return key !== null && key.status !== 'connected';
}

async function syncOne(
  deps: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  orgId: string,
  result: SyncedAll,
): Promise<string | null> {
  try {
    const { rowsWritten, running, stoppedBecause } = await askActor(deps, orgId, { force: false });
    result.rowsWritten += rowsWritten;
    if (running || stoppedBecause === 'budget') result.deferred += 1;
    else if (stoppedBecause !== null) return await readReason(deps, orgId, stoppedBecause);
    // Without a due day a refused key shows only here.
    else if (await isRefused(deps, orgId)) return await readReason(deps, orgId, REFUSED);
    else result.synced += 1;
    return null;
  } catch (thrown) {
    deps.log.warn({ err: thrown, orgId }, 'organization could not be synced');
    return errorMessage(thrown);
  }
}

async function syncEach(
  deps: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  result: SyncedAll,
  answered: Set<string>,
): Promise<void> {
  const orgIds = await connectedOrganizations(deps.sql);
  result.organizations = orgIds.length;
  const limit = limitConcurrency(AT_ONCE);
  const sync = async (orgId: string) => {
    const message = await syncOne(deps, orgId, result);
    answered.add(orgId);
    if (message !== null && result.errors.length < ERRORS_MAX) {
      result.errors.push({ orgId, message });
    }
  };
  await Promise.all(orgIds.map((orgId) => limit(() => sync(orgId))));
}

async function syncInTime(deps: Pick<Deps, 'log' | 'sql' | 'temporal'>): Promise<SyncedAll> {
  const result = { organizations: 0, synced: 0, rowsWritten: 0, deferred: 0, errors: [] };
  const answered = new Set<string>();
  const rates = deps.temporal
    .ensure(ratesRefreshContract, { orgId: 'system' })
    .catch((thrown: unknown) =>
      deps.log.warn({ err: thrown }, 'refresh of the exchange rates could not be started'),
    );
  const work = Promise.all([rates, syncEach(deps, result, answered)]);
  try {
    await withTimeout(work, ANSWER_WITHIN_MS, () => undefined);
  } finally {
    work.catch((thrown: unknown) =>
      deps.log.warn({ err: thrown }, 'not all organizations could be woken'),
    );
  }
  const deferred = result.deferred + result.organizations - answered.size;
  return { ...result, errors: [...result.errors], deferred };
}

const underWay = new WeakMap<object, Promise<SyncedAll>>();

/** Waits up to 25 s. Concurrent calls share one result. */
export function syncAll({ deps }: SystemContext<'log' | 'sql' | 'temporal'>): Promise<SyncedAll> {
  const running = underWay.get(deps);
  if (running) return running;
  const started = syncInTime(deps).finally(() => underWay.delete(deps));
  underWay.set(deps, started);
  return started;
}
