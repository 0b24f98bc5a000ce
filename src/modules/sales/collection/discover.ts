import type { SystemContext } from '../../../context.ts';
import type { StoreKey } from '../../../providers/store/port.ts';
import { StoreFault } from '../../../providers/store/port.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { copyToLinkedApps, lockStoreApps, updateStatus, upsertStoreApps } from './apps-queries.ts';
import { type KeyRecord, selectKey } from './connection-queries.ts';
import { noteKeyFault } from './connection-status.ts';
import { openKey } from './opened-key.ts';
import { noteReleases } from './releases.ts';
import { refreshProducts } from './refresh-products.ts';
import { wasHinted } from './hints-queries.ts';
import { toAppError } from './sync-error.ts';
import { selectSync, updateSync } from './syncs-queries.ts';

const AT_ONCE = 2;

async function discoverApps(
  { deps }: SystemContext<'sql' | 'store'>,
  orgId: string,
  key: StoreKey,
): Promise<string[]> {
  const apps = await deps.store.listApps(key);
  await deps.sql.begin(async (tx) => {
    await lockStoreApps(tx, orgId);
    await upsertStoreApps(tx, orgId, apps);
  });
  return apps.map(({ storeAppId }) => storeAppId);
}

export async function discoverForConnection(
  ctx: SystemContext<'secrets' | 'sql' | 'store'>,
  { orgId }: { orgId: string },
): Promise<number> {
  const record = await selectKey(ctx.deps.sql, orgId);
  if (!record) return 0;
  try {
    return (await discoverApps(ctx, orgId, openKey(ctx.deps, record))).length;
  } catch (thrown) {
    throw toAppError(thrown);
  }
}

async function refreshOne(
  { deps }: SystemContext<'clock' | 'sql' | 'store'>,
  orgId: string,
  key: StoreKey,
  storeAppId: string,
): Promise<void> {
  const { state, version, releases } = await deps.store.appStatus(key, storeAppId);
  const icon = await deps.store.appIcon(key, storeAppId).then(
    (iconUrl) => ({ iconUrl }),
    (thrown: unknown) => {
      if (thrown instanceof StoreFault) return {};
      throw thrown;
    },
  );
  const checkedAt = deps.clock();
  await noteReleases(deps.sql, { orgId, storeAppId }, releases, checkedAt);
  await updateStatus(deps.sql, orgId, storeAppId, { state, version, checkedAt, ...icon });
}

export async function refreshApps(
  ctx: SystemContext<'clock' | 'log' | 'secrets' | 'sql' | 'store'>,
  input: { orgId: string; deadline: Date },
): Promise<number | null> {
  const { sql } = ctx.deps;
  const record = await selectKey(sql, input.orgId);
  if (!record) return null;
  try {
    const appsCheckedAt = ctx.deps.clock();
    const ids = await refreshAll(ctx, record, input.deadline);
    await sql.begin(async (tx) => {
      await lockStoreApps(tx, input.orgId);
      await copyToLinkedApps(tx, input.orgId);
    });
    await refreshProducts(ctx, { ...input, key: openKey(ctx.deps, record) });
    await updateSync(sql, record, { appsCheckedAt });
    return ids.length;
  } catch (thrown) {
    if (thrown instanceof StoreFault) await noteKeyFault(ctx.deps, record, thrown);
    throw thrown;
  }
}

async function refreshAll(
  ctx: SystemContext<'clock' | 'secrets' | 'sql' | 'store'>,
  record: KeyRecord,
  deadline: Date,
): Promise<string[]> {
  const { orgId } = record;
  const key = openKey(ctx.deps, record);
  const ids = await discoverApps(ctx, orgId, key);
  const limit = limitConcurrency(AT_ONCE);
  const refresh = async (storeAppId: string) => {
    if (ctx.deps.clock() >= deadline) return;
    try {
      await refreshOne(ctx, orgId, key, storeAppId);
    } catch (thrown) {
      if (!(thrown instanceof StoreFault) || thrown.kind !== 'not_found') throw thrown;
    }
  };
  await Promise.all(ids.map((storeAppId) => limit(() => refresh(storeAppId))));
  return ids;
}

const DAILY_MS = 20 * 60 * MINUTE_MS;
const REFRESH_WITHIN_MS = 3 * MINUTE_MS;

export async function refreshAppsDaily(
  ctx: SystemContext<'clock' | 'log' | 'secrets' | 'sql' | 'store'>,
  { orgId }: { orgId: string },
): Promise<void> {
  const { deps } = ctx;
  const record = await selectKey(deps.sql, orgId);
  if (!record) return;
  const now = deps.clock();
  const sync = await selectSync(deps.sql, record);
  const checkedAt = sync.appsCheckedAt;
  const isRecent = checkedAt !== null && now.getTime() - checkedAt.getTime() < DAILY_MS;
  if (isRecent && !(await wasHinted(deps.sql, orgId, checkedAt))) return;
  try {
    await refreshApps(ctx, { orgId, deadline: new Date(now.getTime() + REFRESH_WITHIN_MS) });
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    deps.log.warn(
      { orgId, err: thrown },
      'store apps could not be refreshed; tomorrow tries again',
    );
  }
}
