import { existsInApp } from '../../../../storage/rows-of-app.ts';
import type { AppContext, Deps } from '../../../../context.ts';
import { SignatureError } from '../../../../providers/store-server/port.ts';
import { must } from '../../../../shared/assert.ts';
import { parseTimeCursor, readPage, timeCursor } from '../../../../shared/page.ts';
import * as model from './model.ts';
import * as queries from './queries.ts';

export const noticeExists = existsInApp('purchase_notices', 'notice_id');

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
    const unread = await queries.selectUnreadTexts(deps.sql, BATCH);
    const read = [];
    for (const { text, ...key } of unread) {
      read.push({ ...key, appTransactionId: await readId(deps, text) });
    }
    await queries.saveAppTransactionIds(deps.sql, read);
    if (unread.length < BATCH) return;
  }
}

export async function listStoreNotices(
  { deps, scope }: AppContext<'sql'>,
  { state, cursor, limit = model.NOTICE_PAGE }: model.StoreNoticesInput,
): Promise<model.StoreNotices> {
  const page = { state: state ?? null, before: parseTimeCursor(cursor) };
  const { rows, nextCursor } = await readPage(
    limit,
    (limit) => queries.selectNotices(deps.sql, scope, { ...page, limit }),
    ({ notifiedAt, id }) => timeCursor(notifiedAt, id),
  );
  return { notices: rows, nextCursor };
}

export async function resolveStoreNotice(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  { noticeId, resolved }: { noticeId: string; resolved: boolean },
): Promise<model.StoreNotice> {
  await queries.setResolved(deps.sql, scope, { noticeId, at: resolved ? deps.clock() : null });
  return must(
    await queries.selectNotice(deps.sql, scope, noticeId),
    'the route checked the notice',
  );
}
