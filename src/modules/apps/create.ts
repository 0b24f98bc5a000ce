import type { Deps, OrgContext } from '../../context.ts';
import { type App, DEFAULT_REGION } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/time.ts';
import { brokenUniqueConstraint, type Tx } from '../../storage/postgres.ts';
import { appProvisioningContract } from '../../temporal/contracts/apps.ts';
import { ensureSoon } from '../../temporal/ensure.ts';
import { announce, deliverSoon } from '../webhooks/index.ts';
import type { CreateAppInput } from './model.ts';
import { countApps, insertApp, type NewApp } from './queries.ts';

export const MAX_APPS_PER_ORGANIZATION = 2_000;

/** `appProvisioning/<appId>` activates it. */
export async function createApp(
  { deps, orgId }: OrgContext<'clock' | 'log' | 'sql' | 'temporal'>,
  input: CreateAppInput,
): Promise<App> {
  const app = {
    appId: newId('app'),
    orgId,
    slug: input.slug,
    displayName: input.displayName,
    region: input.region ?? DEFAULT_REGION,
    source: 'built_here' as const,
    createdAt: deps.clock(),
  };
  try {
    const created = await deps.sql.begin((tx) => insertNewApp(tx, deps.clock, app));
    provisionSoon(deps, created);
    return created;
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) !== 'apps_slug_in_organization') throw thrown;
    throw new AppError('slug_taken', 'Another app of this organization has this slug.', {
      hint: 'slug: must be unique in the organization',
    });
  }
}

/** Call `provisionSoon` after the commit. */
export async function insertNewApp(tx: Tx, clock: Clock, app: NewApp): Promise<App> {
  if ((await countApps(tx, app.orgId)) >= MAX_APPS_PER_ORGANIZATION) throw tooMany();
  const created = await insertApp(tx, app);
  await announce(tx, clock, { orgId: app.orgId, type: 'app.created', data: created });
  return created;
}

export function provisionSoon(
  deps: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  { orgId, id }: App,
): void {
  ensureSoon(deps, appProvisioningContract, { orgId, appId: id });
  deliverSoon(deps, orgId);
}

function tooMany(): AppError {
  return new AppError('conflict', 'The organization has reached its limit of apps.', {
    hint: `Delete an app first; an organization may have ${MAX_APPS_PER_ORGANIZATION}.`,
  });
}
