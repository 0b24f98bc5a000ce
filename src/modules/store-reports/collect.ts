import type { SystemContext } from '../../context.ts';
import * as port from '../../providers/store/port.ts';
import { addDays, pacificDay } from '../../shared/pacific.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { isCovered, openKey, selectKey, selectStoreApps } from '../sales/index.ts';
import { expireInstances, type ReportScope, selectInstances } from './facts-queries.ts';
import * as queries from './requests-queries.ts';
import { type Collecting, storeInstance } from './store-instance.ts';

const EVERY_MS = 3 * HOUR_MS;
/** The store keeps files for 35 days. */
const KEPT_DAYS = 35;

const NOT_OFFERED = 'The store does not offer this report for the account.';
const STOPPED =
  'The store has stopped the reports, since nobody read them for long. Request them again.';

const isOfReport = (thrown: unknown): thrown is Error =>
  thrown instanceof port.ReportFormatError ||
  (thrown instanceof port.StoreFault && ['role', 'not_found', 'protocol'].includes(thrown.kind));

async function collectReport(at: Collecting, scope: ReportScope, reportId: string): Promise<void> {
  const { deps, key } = at;
  const listed = await deps.store.appReportInstances(key, reportId);
  const known = await selectInstances(deps.sql, scope);
  for (const { instanceId, processingDate } of listed.toSorted((a, b) =>
    a.processingDate < b.processingDate ? 1 : -1,
  )) {
    const record = known.get(processingDate) ?? null;
    if (isCovered(record?.state)) continue;
    await storeInstance(at, { ...scope, processingDate }, { instanceId, record });
  }
  await expireInstances(deps.sql, scope, addDays(pacificDay(deps.clock()), -KEPT_DAYS));
}

/** A report that cannot be had costs its own table only. */
async function tryReport(at: Collecting, scope: ReportScope, id: string | undefined) {
  const note = (message: string | null) =>
    queries.noteReportError(at.deps.sql, scope, scope.report, message);
  if (id === undefined) return note(NOT_OFFERED);
  try {
    await collectReport(at, scope, id);
  } catch (thrown) {
    if (!isOfReport(thrown)) throw thrown;
    at.deps.log.warn({ ...scope, err: thrown }, 'a report of the store could not be collected');
    return note(thrown.message);
  }
  return note(null);
}

async function collectRequests(
  at: Collecting,
  app: queries.StoreAppScope,
  requests: readonly queries.ReportRequestRow[],
): Promise<void> {
  const { deps, key } = at;
  const inAccount = await deps.store.appReportRequests(key, app.storeAppId);
  for (const { access, requestId } of requests) {
    const scope = { ...app, access };
    const found = inAccount.find((one) => one.requestId === requestId);
    const isStopped = found?.isStopped ?? true;
    await queries.noteTry(deps.sql, scope, { at: deps.clock(), isStopped });
    if (!found) continue;
    const offered = await deps.store.offeredAppReports(key, requestId);
    for (const report of port.APP_REPORTS) {
      await tryReport(at, { ...scope, report }, offered.get(report));
    }
  }
  const isOver = (await queries.selectRequests(deps.sql, app)).some(({ isStopped }) => isStopped);
  await queries.noteRequestError(deps.sql, app, isOver ? STOPPED : null);
}

/** False ends the run: the store wants no more requests. */
async function collectApp(at: Collecting, app: queries.StoreAppScope): Promise<boolean> {
  const { deps } = at;
  const requests = await queries.selectRequests(deps.sql, app);
  const nowMs = deps.clock().getTime();
  const isDue = requests.some(
    ({ triedAt }) => triedAt === null || nowMs - triedAt.getTime() >= EVERY_MS,
  );
  if (!isDue) return true;
  try {
    await collectRequests(at, app, requests);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof port.StoreFault)) throw thrown;
    deps.log.warn({ ...app, err: thrown }, 'reports of the store could not be collected');
    await queries.noteRequestError(deps.sql, app, thrown.message);
    return port.isTransient(thrown) || thrown.kind === 'not_found' || thrown.kind === 'role';
  }
}

export async function collectStoreReports(
  { deps }: SystemContext<'clock' | 'log' | 'secrets' | 'sql' | 'store'>,
  { orgId }: { orgId: string },
): Promise<void> {
  const record = await selectKey(deps.sql, orgId);
  if (!record) return;
  const key = openKey(deps, record);
  const linked = (await selectStoreApps(deps.sql, orgId)).filter(({ appId }) => appId !== null);
  for (const { storeAppId } of linked) {
    if (!(await collectApp({ deps, key }, { orgId, storeAppId }))) return;
  }
}
