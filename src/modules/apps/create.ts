import type { Deps, OrgContext } from '../../context.ts';
import { type App, DEFAULT_REGION, type AppScope } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/time.ts';
import { brokenUniqueConstraint, type Tx } from '../../storage/postgres.ts';
import { appProvisioningContract, appDeletionContract } from '../../temporal/contracts/apps.ts';
import { ensureSoon, ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import type { TemporalGateway } from '../../temporal/gateway.ts';
import { announce, deliverSoon } from '../webhooks/index.ts';
import type { CreateAppInput } from './model.ts';
import * as queries from './queries.ts';

export async function listApps({ deps, orgId }: OrgContext<'sql'>): Promise<App[]> {
  return queries.selectApps(deps.sql, orgId);
}

/** The next start provisions them. */
export async function recoverApps(tx: Tx, clock: Clock, apps: readonly AppScope[]): Promise<void> {
  for (const { orgId, appId } of apps) {
    await insertNewApp(tx, clock, {
      appId,
      orgId,
      slug: `recovered-${appId.slice(appId.indexOf('_') + 1)}`,
      displayName: `Recovered ${appId}`,
      region: DEFAULT_REGION,
      source: 'built_here',
      createdAt: clock(),
    });
  }
}

const BATCH = 500;

const ensureRun = (temporal: TemporalGateway, { deleting, ...app }: queries.UnfinishedApp) =>
  temporal.ensure(deleting ? appDeletionContract : appProvisioningContract, app);

export function ensureMissingAppRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: queries.selectAppsWithoutRun,
    ensure: ensureRun,
    markEnsured: queries.markRunsEnsured,
  });
}

/** No-op for a running one. */
export async function reconcileApps({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  await ensureAll(await queries.selectUnfinishedApps(sql, BATCH), (app) =>
    ensureRun(temporal, app),
  );
}

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
export async function insertNewApp(tx: Tx, clock: Clock, app: queries.NewApp): Promise<App> {
  if ((await queries.countApps(tx, app.orgId)) >= MAX_APPS_PER_ORGANIZATION) throw tooMany();
  const created = await queries.insertApp(tx, app);
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
