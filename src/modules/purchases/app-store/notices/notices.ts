import type { AppContext } from '../../../../context.ts';
import { must } from '../../../../shared/assert.ts';
import { parseTimeCursor, timeCursor } from '../../../../shared/time-cursor.ts';
import {
  NOTICE_PAGE,
  type StoreNotice,
  type StoreNotices,
  type StoreNoticesInput,
} from './model.ts';
import { selectNotice, selectNotices, setResolved } from './queries.ts';

export async function listStoreNotices(
  { deps, orgId, app }: AppContext<'sql'>,
  { state, cursor, limit = NOTICE_PAGE }: StoreNoticesInput,
): Promise<StoreNotices> {
  const rows = await selectNotices(
    deps.sql,
    { orgId, appId: app.id },
    { state: state ?? null, before: parseTimeCursor(cursor), limit: limit + 1 },
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    notices: rows.slice(0, limit),
    nextCursor: last ? timeCursor(last.notifiedAt, last.id) : null,
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
