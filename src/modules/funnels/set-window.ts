import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { upsertWindowHours } from './queries.ts';

/** Sets how long people of an app have to convert when a report does not say. */
export async function setFunnelWindow(
  { deps }: SystemContext,
  { appId, hours }: { appId: string; hours: number },
): Promise<{ appId: string; windowHours: number }> {
  const found = await upsertWindowHours(deps.sql, appId, hours, deps.clock());
  if (!found) throw new AppError('not_found', `There is no app "${appId}".`);
  return { appId, windowHours: hours };
}
