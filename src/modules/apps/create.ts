import type { OrgContext } from '../../context.ts';
import { type App, DEFAULT_REGION } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/time.ts';
import { brokenUniqueConstraint, type Tx } from '../../storage/postgres.ts';
import { appProvisioningContract } from '../../temporal/contracts/apps.ts';
import { dispatchSoon, enqueue, type OutboxRun } from '../outbox/index.ts';
import { announce } from '../webhooks/index.ts';
import type { CreateAppInput } from './model.ts';
import { countApps, insertApp, type NewApp } from './queries.ts';

export const MAX_APPS_PER_ORGANIZATION = 2_000;

/**
 * Makes the app `provisioning`; the workflow `appProvisioning/<appId>` makes it `active`.
 * Throws `slug_taken`, and `conflict` at the limit of apps.
 */
export async function createApp({ deps, orgId }: OrgContext, input: CreateAppInput): Promise<App> {
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
    const made = await deps.sql.begin((tx) => insertNewApp(tx, deps.clock, app));
    for (const run of made.runs) dispatchSoon(deps, run);
    return made.created;
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) !== 'apps_slug_in_organization') throw thrown;
    throw new AppError('slug_taken', 'Another app of this organization has this slug.', {
      hint: 'slug: must be unique in the organization',
    });
  }
}

/** The app and the runs that follow from it, in the caller's transaction. */
export async function insertNewApp(
  tx: Tx,
  clock: Clock,
  app: NewApp,
): Promise<{ created: App; runs: OutboxRun[] }> {
  const scope = { orgId: app.orgId, appId: app.appId };
  if ((await countApps(tx, app.orgId)) >= MAX_APPS_PER_ORGANIZATION) throw tooMany();
  const created = await insertApp(tx, app);
  const event = { orgId: app.orgId, type: 'app.created', data: created } as const;
  const announced = await announce(tx, clock, event);
  const run = await enqueue(tx, appProvisioningContract, scope, scope);
  return { created, runs: [run, ...announced] };
}

function tooMany(): AppError {
  return new AppError('conflict', 'The organization has as many apps as it may.', {
    hint: `At most ${MAX_APPS_PER_ORGANIZATION} apps.`,
  });
}
