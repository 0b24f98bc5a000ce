import type { AppContext, Deps } from '../../../../context.ts';
import { SignatureError } from '../../../../providers/store-server/port.ts';
import { must } from '../../../../shared/assert.ts';
import { parseTimeCursor, timeCursor } from '../../../../shared/time-cursor.ts';
import {
  NOTICE_PAGE,
  type StoreNotice,
  type StoreNotices,
  type StoreNoticesInput,
} from './model.ts';
import {
  saveAppTransactionIds,
  selectNotice,
  selectNotices,
  selectUnreadTexts,
  setResolved,
} from './queries.ts';

const BATCH = 200;
const BATCHES = 10;

async function readId({ signatures }: Pick<Deps, 'signatures'>, text: string): Promise<string> {
  try {
    return (await signatures.transaction(text)).details.appTransactionId ?? '';
  } catch (thrown) {
    if (!(thrown instanceof SignatureError)) throw thrown;
    return '';
  }
}

export async function readCustomersOfTexts(deps: Pick<Deps, 'signatures' | 'sql'>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const unread = await selectUnreadTexts(deps.sql, BATCH);
    const read = [];
    for (const { text, ...key } of unread) {
      read.push({ ...key, appTransactionId: await readId(deps, text) });
    }
    await saveAppTransactionIds(deps.sql, read);
    if (unread.length < BATCH) return;
  }
}

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
