import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

/** Where the histories live that every later release must be able to replay. */
export const REPLAY_DIR = join(import.meta.dir, '../replay');

/**
 * Exports a finished run as a replay fixture when KEEP_HISTORIES=1; does nothing otherwise.
 * `runId` names a run that was followed by others. A fixture stays for good: a changed workflow gets another one, it never replaces an old one.
 */
export async function keepHistory(
  client: Client,
  workflowId: string,
  name: string,
  runId?: string,
): Promise<void> {
  if (process.env.KEEP_HISTORIES !== '1') return;
  const path = join(REPLAY_DIR, `${name}.json`);
  if (await Bun.file(path).exists()) return;
  const handle = client.workflow.getHandle(workflowId, runId);
  await handle.result().catch(() => undefined);
  const history = await handle.fetchHistory();
  await mkdir(dirname(path), { recursive: true });
  await Bun.write(path, historyToJSON(history));
}
