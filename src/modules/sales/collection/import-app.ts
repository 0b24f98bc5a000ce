import type { OrgContext } from '../../../context.ts';
import { type App, DEFAULT_REGION } from '../../../shared/app.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { brokenUniqueConstraint } from '../../../storage/postgres.ts';
import { insertNewApp, provisionSoon, selectApp } from '../../apps/index.ts';
import { link, lockStoreApps, selectStoreApp, unlink } from './apps-queries.ts';
import { selectAccount } from './connection-queries.ts';
import type { ImportInput, LinkInput } from './model.ts';

export function storeAppNotFound(): AppError {
  return new AppError('store_app_not_found', 'No such store app in this organization.', {
    hint: 'storeAppId: must be one of GET /v1/store/apps',
  });
}

export async function linkApp(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { storeAppId, appId }: LinkInput,
): Promise<{ linked: boolean }> {
  return deps.sql.begin(async (tx) => {
    await lockStoreApps(tx, orgId);
    if (!(await selectStoreApp(tx, orgId, storeAppId))) throw storeAppNotFound();
    if (appId !== null && !(await selectApp(tx, orgId, appId))) throw notFound();
    await unlink(tx, orgId, { storeAppId, appId });
    if (appId === null) return { linked: false };
    await link(tx, orgId, { storeAppId, appId, at: deps.clock() });
    return { linked: true };
  });
}

const NAME_MAX = 80;
const SLUG_MAX = 40;
const SLUG = /^[a-z][a-z0-9-]*[a-z0-9]$/;

function slugFrom(words: string): string | null {
  const slug = words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, SLUG_MAX)
    .replace(/-+$/, '');
  return slug.length >= 3 && SLUG.test(slug) ? slug : null;
}

function* slugCandidates(name: string, bundleId: string): Generator<string> {
  const first =
    slugFrom(name) ??
    slugFrom(bundleId.split('.').at(-1) ?? '') ??
    slugFrom(bundleId) ??
    `app-${crypto.randomUUID().slice(0, 8)}`;
  yield first;
  for (let number = 2; number < 100; number += 1) {
    const suffix = `-${number}`;
    yield `${first.slice(0, SLUG_MAX - suffix.length).replace(/-+$/, '')}${suffix}`;
  }
  yield `app-${crypto.randomUUID().slice(0, 8)}`;
}

const alreadyImported = () =>
  new AppError('app_already_imported', 'This store app belongs to an app already.');

const displayName = (name: string, fallback: string) =>
  [...(name.trim() || fallback)].slice(0, NAME_MAX).join('');

async function importAs(
  { deps, orgId }: OrgContext<'clock' | 'log' | 'sql' | 'temporal'>,
  storeAppId: string,
  slug: string,
): Promise<App | null> {
  try {
    const app = await deps.sql.begin(async (tx) => {
      await lockStoreApps(tx, orgId);
      const store = await selectStoreApp(tx, orgId, storeAppId);
      if (!store) throw storeAppNotFound();
      if (store.appId !== null) throw alreadyImported();
      const appId = newId('app');
      const created = await insertNewApp(tx, deps.clock, {
        appId,
        orgId,
        slug,
        displayName: displayName(store.name, slug),
        region: DEFAULT_REGION,
        source: 'imported',
        createdAt: deps.clock(),
      });
      await unlink(tx, orgId, { storeAppId, appId: null });
      await link(tx, orgId, { storeAppId, appId, at: deps.clock() });
      return (await selectApp(tx, orgId, appId)) ?? created;
    });
    provisionSoon(deps, app);
    return app;
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) === 'apps_slug_in_organization') return null;
    throw thrown;
  }
}

export async function importApp(
  ctx: OrgContext<'clock' | 'log' | 'secrets' | 'sql' | 'temporal'>,
  { storeAppId }: ImportInput,
): Promise<App> {
  const { deps, orgId } = ctx;
  if (!deps.secrets.available) {
    throw new AppError('store_not_configured', 'The store integration is not available.', {
      hint: 'Set SECRETS_KEY on the server.',
    });
  }
  const connected = await selectAccount(deps.sql, orgId);
  const found = connected && (await selectStoreApp(deps.sql, orgId, storeAppId));
  if (!found) throw storeAppNotFound();
  for (const slug of slugCandidates(found.name, found.bundleId)) {
    const app = await importAs(ctx, storeAppId, slug);
    if (app) return app;
  }
  throw new AppError('conflict', 'No slug is free for this app.');
}
