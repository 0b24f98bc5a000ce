import type { SystemContext } from '../../context.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import {
  type AppLimit,
  deleteLimit,
  findOrganizationOfApp,
  listLimits,
  upsertLimit,
} from './queries.ts';

export const RAISABLE_LIMITS = [
  'events',
  'eventsPerDay',
  'experiments',
  'flags',
  'purchases',
  'notificationsOfApp',
] as const;

export type SetLimitInput = {
  appId: string;
  name?: (typeof RAISABLE_LIMITS)[number] | undefined;
  /** 0 restores the default. */
  points?: number | undefined;
};

/** Takes effect within 5 s. */
export async function setLimit(
  { deps: { sql } }: SystemContext<'sql'>,
  { appId, name, points }: SetLimitInput,
): Promise<AppLimit[]> {
  const orgId = await findOrganizationOfApp(sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  if ((name === undefined) !== (points === undefined)) {
    throw invalidInput('--name and --points', 'belong together');
  }
  if (name !== undefined && points !== undefined) {
    if (points === 0) await deleteLimit(sql, { orgId, appId, name });
    else await upsertLimit(sql, { orgId, appId, name, points });
  }
  return listLimits(sql, orgId, appId);
}
