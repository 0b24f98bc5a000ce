import type { Deps, SystemContext } from '../../../context.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { messageOf } from '../../../shared/errors.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import { withTimeLimit } from '../../../shared/time-limit.ts';
import { ratesRefreshContract, type SyncResult } from '../../../temporal/contracts/store.ts';
import { askActor } from '../collection/actor.ts';
import { connectedOrganizations, selectKey } from '../collection/connection-queries.ts';
import { selectSync } from '../collection/syncs-queries.ts';

const AT_ONCE = 20;
const ANSWER_WITHIN_MS = 25 * SECOND_MS;
const ERRORS_MAX = 100;

export type SyncAllResult = {
  organizations: number;
  synced: number;
  rowsWritten: number;
  /** Still running when the answer was due, or waiting for the store's hourly allowance. */
  deferred: number;
  errors: { orgId: string; message: string }[];
};

/** Why an organization's run stopped, as `freshness.lastError` says it. */
async function reasonOf(deps: Pick<Deps, 'sql'>, orgId: string, because: string): Promise<string> {
  const key = await selectKey(deps.sql, orgId);
  const sync = key && (await selectSync(deps.sql, { orgId, vendorNumber: key.vendorNumber }));
  return sync?.lastError ?? `The run was stopped: ${because}.`;
}

/** Counts one organization. Returns why it could not be synced, or null. */
async function count(
  deps: Pick<Deps, 'sql'>,
  result: SyncAllResult,
  orgId: string,
  { rowsWritten, running = false, stoppedBecause }: SyncResult,
): Promise<string | null> {
  result.rowsWritten += rowsWritten;
  if (running || stoppedBecause === 'budget') result.deferred += 1;
  else if (stoppedBecause === null) result.synced += 1;
  else return reasonOf(deps, orgId, stoppedBecause);
  return null;
}

async function syncOne(
  deps: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  orgId: string,
  result: SyncAllResult,
): Promise<string | null> {
  try {
    return await count(deps, result, orgId, await askActor(deps, orgId, { force: false }));
  } catch (thrown) {
    deps.log.warn({ err: thrown, orgId }, 'organization could not be synced');
    return messageOf(thrown);
  }
}

async function syncEach(
  deps: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  result: SyncAllResult,
  answered: Set<string>,
): Promise<void> {
  const orgIds = await connectedOrganizations(deps.sql);
  result.organizations = orgIds.length;
  const limit = limitConcurrency(AT_ONCE);
  await Promise.all(
    orgIds.map((orgId) =>
      limit(async () => {
        const message = await syncOne(deps, orgId, result);
        answered.add(orgId);
        if (message !== null && result.errors.length < ERRORS_MAX) {
          result.errors.push({ orgId, message });
        }
      }),
    ),
  );
}

/** Syncs for as long as an answer may take; what is unfinished goes on by itself. */
async function syncInTime(deps: Pick<Deps, 'log' | 'sql' | 'temporal'>): Promise<SyncAllResult> {
  const result = { organizations: 0, synced: 0, rowsWritten: 0, deferred: 0, errors: [] };
  const answered = new Set<string>();
  const work = Promise.all([startRatesRefresh(deps), syncEach(deps, result, answered)]);
  try {
    await withTimeLimit(work, ANSWER_WITHIN_MS, () => undefined);
  } finally {
    work.catch((thrown: unknown) =>
      deps.log.warn({ err: thrown }, 'not all organizations could be woken'),
    );
  }
  const deferred = result.deferred + result.organizations - answered.size;
  return { ...result, errors: [...result.errors], deferred };
}

async function startRatesRefresh(deps: Pick<Deps, 'log' | 'temporal'>): Promise<void> {
  try {
    await deps.temporal.ensure(ratesRefreshContract, { orgId: 'system' });
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'refresh of the exchange rates could not be started');
  }
}

const underWay = new WeakMap<object, Promise<SyncAllResult>>();

/**
 * Wakes the actor of every connected organization and waits up to 25 s. Concurrent calls share one
 * answer.
 */
export function syncAll({
  deps,
}: SystemContext<'log' | 'sql' | 'temporal'>): Promise<SyncAllResult> {
  const running = underWay.get(deps);
  if (running) return running;
  const started = syncInTime(deps).finally(() => underWay.delete(deps));
  underWay.set(deps, started);
  return started;
}
