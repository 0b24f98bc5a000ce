import type { SystemContext } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { messageOf } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { ratesRefreshContract, type SyncResult } from '../../temporal/contracts/store.ts';
import { askActor } from '../store/actor.ts';
import { connectedOrganizations } from '../store/connected.ts';

const AT_ONCE = 20;
const ANSWER_WITHIN_MS = 25 * SECOND_MS;
const ERRORS_MAX = 100;

export type SyncAllResult = {
  organizations: number;
  synced: number;
  rowsWritten: number;
  /** Asked, and still at work when the answer was due. */
  deferred: number;
  errors: { orgId: string; message: string }[];
};

function count(result: SyncAllResult, one: SyncResult): void {
  result.synced += 1;
  result.rowsWritten += one.rowsWritten;
}

async function syncEach(deps: Deps, orgIds: readonly string[]): Promise<SyncAllResult> {
  const result: SyncAllResult = {
    organizations: orgIds.length,
    synced: 0,
    rowsWritten: 0,
    deferred: 0,
    errors: [],
  };
  const limit = limitConcurrency(AT_ONCE);
  let answered = 0;
  const all = orgIds.map((orgId) =>
    limit(async () => {
      try {
        count(result, await askActor(deps, orgId, { force: false }));
      } catch (thrown) {
        deps.log.warn({ err: thrown, orgId }, 'An organization could not be synced');
        const message = messageOf(thrown);
        if (result.errors.length < ERRORS_MAX) result.errors.push({ orgId, message });
      }
      answered += 1;
    }),
  );
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ANSWER_WITHIN_MS);
  await Promise.race([Promise.all(all), late.promise]);
  clearTimeout(timer);
  // The others go on by themselves; what they do is told by the next answer.
  return { ...result, errors: [...result.errors], deferred: orgIds.length - answered };
}

async function startRatesRefresh(deps: Deps): Promise<void> {
  try {
    const scope = { orgId: 'system' };
    await deps.temporal.start(ratesRefreshContract, scope, scope);
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'The refresh of the exchange rates could not be started');
  }
}

const underWay = new WeakMap<Deps, Promise<SyncAllResult>>();

/**
 * Wakes the actor of every connected organization and waits 25 s for them. A call during another
 * one gets that one's answer.
 */
export function syncAll({ deps }: SystemContext): Promise<SyncAllResult> {
  const running = underWay.get(deps);
  if (running) return running;
  const started = startRatesRefresh(deps)
    .then(() => connectedOrganizations(deps.sql))
    .then((orgIds) => syncEach(deps, orgIds))
    .finally(() => underWay.delete(deps));
  underWay.set(deps, started);
  return started;
}
