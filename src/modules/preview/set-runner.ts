import type { SystemContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { deleteCommand, upsertCommand } from './queries.ts';

export type PreviewRunner = { appId: string; command: string | null };

/** Shell command; null removes it. */
export async function setPreviewRunner(
  { deps }: SystemContext<'clock' | 'sql'>,
  runner: PreviewRunner,
): Promise<PreviewRunner> {
  const { appId, command } = runner;
  if (command === null) await deleteCommand(deps.sql, appId);
  else if (!(await upsertCommand(deps.sql, appId, command, deps.clock()))) throw notFound();
  return runner;
}
