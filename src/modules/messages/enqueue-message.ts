import type { Tx } from '../../storage/postgres.ts';
import type { NewMessage } from './model.ts';
import { insertMessage } from './queries.ts';

const MAX_CHARACTERS = 300;

/** Once per id. */
export async function enqueueMessage(
  tx: Tx,
  { orgId, at }: { orgId: string; at: Date },
  message: NewMessage,
): Promise<void> {
  const text = message.text.slice(0, MAX_CHARACTERS).toWellFormed();
  await insertMessage(tx, { orgId, at }, { ...message, text });
}
