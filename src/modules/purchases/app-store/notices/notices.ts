import type { AppContext } from '../../../../context.ts';
import { must } from '../../../../shared/assert.ts';
import {
  NOTICE_PAGE,
  type StoreNotice,
  type StoreNotices,
  type StoreNoticesInput,
} from './model.ts';
import { selectNotice, selectNotices, setResolved } from './queries.ts';

function parseCursor(cursor: string | undefined) {
  if (cursor === undefined) return null;
  const end = cursor.indexOf('_');
  return { atMs: Number(cursor.slice(0, end)), id: cursor.slice(end + 1) };
}

export async function listStoreNotices(
  { deps, orgId, app }: AppContext<'sql'>,
  { state, cursor, limit = NOTICE_PAGE }: StoreNoticesInput,
): Promise<StoreNotices> {
  const rows = await selectNotices(
    deps.sql,
    { orgId, appId: app.id },
    { state: state ?? null, before: parseCursor(cursor), limit: limit + 1 },
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    notices: rows.slice(0, limit),
    nextCursor: last ? `${Date.parse(last.notifiedAt)}_${last.id}` : null,
  };
}

export async function resolveStoreNotice(
  { deps, orgId, app }: AppContext<'clock' | 'sql'>,
  { noticeId, resolved }: { noticeId: string; resolved: boolean },
): Promise<StoreNotice> {
  const scope = { orgId, appId: app.id };
  await setResolved(deps.sql, scope, { noticeId, at: resolved ? deps.clock() : null });
  return must(await selectNotice(deps.sql, scope, noticeId), 'the route checked the notice');
}
