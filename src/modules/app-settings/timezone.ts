import type { App } from '../../shared/app.ts';
import type { AppContext } from '../../context.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import { selectSettings } from './queries.ts';

export async function resolveTimezone(
  { deps, orgId, app }: Pick<AppContext<'sql'>, 'deps' | 'orgId'> & { app: Pick<App, 'id'> },
  asked: string | undefined,
): Promise<string> {
  if (asked !== undefined) return parseTimezone(asked);
  return (await selectSettings(deps.sql, { orgId, appId: app.id })).timezone;
}
