import type { AppContext, Deps } from '../../context.ts';
import { type ReportAccess, StoreFault, type StoreKey } from '../../providers/store/port.ts';
import { AppError } from '../../shared/errors.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import { openKey, selectKey, toAppError } from '../sales/index.ts';
import type { StoreReportRequest } from './model.ts';
import { type ReportRequestRow, selectRequests, upsertRequest } from './requests-queries.ts';

const ADMIN_ONLY =
  'The store lets only a key with the role Admin request reports. Connect one under Store, or have somebody request them in App Store Connect; a key’s role cannot be changed later.';

export const toWire = (row: ReportRequestRow): StoreReportRequest => ({
  access: row.access,
  requestedAt: toIso(row.requestedAt),
  isStopped: row.isStopped,
  triedAt: toIsoOrNull(row.triedAt),
  lastError: row.lastError,
});

type Asked = { key: StoreKey; storeAppId: string; access: ReportAccess };

/** One in the account is taken; a stopped one is deleted first, else the store answers 409. */
async function requestId(
  { store }: Pick<Deps, 'store'>,
  { key, storeAppId, access }: Asked,
): Promise<string> {
  const find = async () =>
    (await store.appReportRequests(key, storeAppId)).find((one) => one.access === access);
  const found = await find();
  if (found && !found.isStopped) return found.requestId;
  if (found) await store.deleteAppReportRequest(key, found.requestId);
  const made = await store.makeAppReportRequest(key, storeAppId, access);
  const id = made ?? (await find())?.requestId;
  if (id !== undefined) return id;
  throw new StoreFault('protocol', 'The store says that there is a request and lists none.');
}

/** Throws `store_app_not_found`, `store_role_missing` and other `store_*`. */
export async function requestStoreReports(
  { deps, orgId, app }: AppContext<'clock' | 'log' | 'secrets' | 'sql' | 'store'>,
  access: ReportAccess,
): Promise<StoreReportRequest> {
  const { storeAppId } = app;
  const record = await selectKey(deps.sql, orgId);
  if (storeAppId === null || !record) {
    throw new AppError('store_app_not_found', 'This app is linked to no store app.', {
      hint: 'Connect the store, then link the app with POST /v1/store/apps/link.',
    });
  }
  try {
    const id = await requestId(deps, { key: openKey(deps, record), storeAppId, access });
    const scope = { orgId, storeAppId, access };
    await upsertRequest(deps.sql, scope, { requestId: id, at: deps.clock() });
    deps.log.info({ audit: 'store_reports_requested', ...scope }, 'store reports requested');
  } catch (thrown) {
    if (thrown instanceof StoreFault && thrown.kind === 'role') {
      throw new AppError('store_role_missing', 'The key may not request reports.', {
        cause: thrown,
        hint: ADMIN_ONLY,
      });
    }
    throw toAppError(thrown);
  }
  const rows = await selectRequests(deps.sql, { orgId, storeAppId });
  const row = rows.find((one) => one.access === access);
  if (!row) throw new Error('The request of reports was deleted at once.');
  return toWire(row);
}
