import type { Deps, SystemContext } from '../../context.ts';
import { StoreFault, type StoreKey } from '../../providers/store/port.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import { openKey, RESERVED_REQUESTS, selectKey, selectStoreApps } from '../sales/index.ts';
import * as queries from './checks-queries.ts';
import { deleteGone, type StoreAppScope, selectKnown, upsertReviews } from './queries.ts';

const KEPT_MS = 90 * DAY_MS;

export async function forgetReviews({ sql, clock }: Pick<Deps, 'clock' | 'sql'>): Promise<void> {
  await queries.deleteOldChecks(sql, new Date(clock().getTime() - KEPT_MS));
}

const EVERY_MS = 50 * MINUTE_MS;
const WHOLE_EVERY_MS = 7 * DAY_MS;
/** 10,000 reviews. */
const PAGES_MAX = 50;

const REFUSED =
  'The key may not read reviews. A key with the role Admin, App Manager, Customer Support, Sales or Finance may.';

type Needs = 'clock' | 'log' | 'secrets' | 'sql' | 'store';
type Walk = {
  key: StoreKey;
  scope: StoreAppScope;
  check: queries.ReviewCheck | null;
  startedAt: Date;
};

const isWhole = ({ check, startedAt }: Walk): boolean =>
  !check?.walkedAt || startedAt.getTime() - check.walkedAt.getTime() >= WHOLE_EVERY_MS;

async function walk(deps: Pick<Deps, Needs>, walking: Walk): Promise<'over_budget' | 'done'> {
  const { key, scope, check, startedAt } = walking;
  const whole = isWhole(walking);
  let next: string | null = null;
  let oldest: Date | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const found = await deps.store.reviewPage(key, scope.storeAppId, next);
    const known = await selectKnown(deps.sql, scope, found.reviews);
    await upsertReviews(deps.sql, scope, found.reviews, startedAt);
    oldest = found.reviews.at(-1)?.createdAt ?? oldest;
    const through = check?.knownThrough ?? null;
    const isReached = found.reviews.some(
      ({ reviewId, createdAt }) => through && createdAt <= through && known.has(reviewId),
    );
    next = found.next;
    if (next === null || (!whole && isReached)) break;
    if (found.remainingInHour !== null && found.remainingInHour < RESERVED_REQUESTS) {
      return 'over_budget';
    }
  }
  if (whole) {
    const from = next === null ? null : oldest;
    await deleteGone(deps.sql, scope, { before: startedAt, from });
  }
  await queries.noteEnd(deps.sql, scope, { checkedAt: startedAt, isWhole: whole });
  return 'done';
}

async function collectOne(
  deps: Pick<Deps, Needs>,
  key: StoreKey,
  scope: StoreAppScope,
): Promise<boolean> {
  const startedAt = deps.clock();
  const check = await queries.selectCheck(deps.sql, scope);
  if (check && startedAt.getTime() - check.triedAt.getTime() < EVERY_MS) return true;
  await queries.noteTry(deps.sql, scope, startedAt);
  try {
    return (await walk(deps, { key, scope, check, startedAt })) === 'done';
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    deps.log.warn({ ...scope, err: thrown }, 'reviews could not be collected');
    await queries.noteError(deps.sql, scope, thrown.kind === 'role' ? REFUSED : thrown.message);
    return ['role', 'not_found', 'protocol'].includes(thrown.kind);
  }
}

export async function collectReviews(
  { deps }: SystemContext<Needs>,
  { orgId }: { orgId: string },
): Promise<void> {
  const record = await selectKey(deps.sql, orgId);
  if (!record) return;
  const key = openKey(deps, record);
  const linked = (await selectStoreApps(deps.sql, orgId)).filter(({ appId }) => appId !== null);
  for (const { storeAppId } of linked) {
    if (!(await collectOne(deps, key, { orgId, storeAppId }))) return;
  }
}
