import type { Tx } from '../../storage/postgres.ts';
import type { NewMessage } from './model.ts';
import { insertMessage } from './queries.ts';

/** A product id has no more, nor has a detail of an insight by much; a line stays a line. */
const MAX_CHARACTERS = 300;

/**
 * Keeps a message in the transaction that recorded what happened, where the organization wants to be
 * told of its kind; once, however often it is told. The reconciler sends it within seconds.
 */
export async function enqueueMessage(
  tx: Tx,
  { orgId, at }: { orgId: string; at: Date },
  message: NewMessage,
): Promise<void> {
  const text = message.text.slice(0, MAX_CHARACTERS).toWellFormed();
  await insertMessage(tx, { orgId, at }, { ...message, text });
}
