import type { Deps } from '../../../../context.ts';
import { SignatureError } from '../../../../providers/store-server/port.ts';
import { saveAppTransactionIds, selectUnreadTexts } from './queries.ts';

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
