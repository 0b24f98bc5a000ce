import type { SystemContext } from '../../context.ts';
import * as eventStore from '../../event-store/keep.ts';
import { readInstallation, readMarker, setIdentity, writeMarker } from '../../event-store/place.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { openObjectStore } from '../../storage/object-store/open.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { type Db, mayRest, type Tx } from '../../storage/postgres.ts';
import { recoverApps } from '../apps/index.ts';
import { recoverOrganizations } from '../identity/index.ts';
import type { Reporting } from './progress.ts';
import { requireStopped } from './upgrade.ts';

const REBUILD_ENGINE = { name: 'rebuild', memoryMb: 1_024, threads: 2 };

type Context = SystemContext<'clock' | 'config' | 'log' | 'objects' | 'sql'>;

export type RebuildOptions = {
  add?: boolean | undefined;
  inPlace?: boolean | undefined;
  dryRun?: boolean | undefined;
  /** Owner of recreated organizations; recreates their apps too. */
  owner?: string | undefined;
};

export type RebuiltCatalogue = Omit<eventStore.Rebuilt, 'seq' | 'apps'> & {
  /** In the files, but not in the database. */
  unknownApps: string[];
  unknownOrganizations: string[];
};

async function checkPlace(
  { deps: { config, sql } }: Context,
  objects: ObjectStore,
  inPlace: boolean,
): Promise<void> {
  const [owner, own] = [await readMarker(objects), await readInstallation(sql)];
  if (owner === null || owner === own.id || inPlace) return;
  throw new AppError(
    'conflict',
    `The event files in ${config.events.url} belong to installation ${owner}, this one is ${own.id}.`,
    {
      hint: 'Name the place of this installation in EVENTS_URL. When the other one is gone for good, take its place over: --in-place.',
    },
  );
}

async function checkEmpty({ deps: { sql } }: Context, add: boolean): Promise<void> {
  if (add || (await eventStore.isCatalogueEmpty(sql))) return;
  throw new AppError('conflict', 'The catalogue is not empty.', {
    hint: 'With --add it keeps what it has and takes in what the files hold beyond it, as after a restore. --dry-run says what that would be.',
  });
}

/** Files outside of the catalogue are never swept. */
async function takePlace({ deps: { config, clock } }: Context, tx: Tx, objects: ObjectStore) {
  // The place may be slow.
  await mayRest(tx);
  const { id } = await readInstallation(tx);
  if ((await readMarker(objects)) === id) return;
  await setIdentity(tx, { id, url: config.events.url, at: clock(), inPlace: true });
  await writeMarker(objects, id, clock());
}

async function recover({ deps: { clock } }: Context, tx: Tx, owner: string): Promise<void> {
  const apps = await eventStore.unknownApps(tx, []);
  const orgIds = await eventStore.unknownOrganizations(tx, apps);
  await recoverOrganizations(tx, { orgIds, owner, now: clock() });
  await recoverApps(tx, clock, apps);
}

/**
 * Throws `conflict` while the service runs, without `add` for a non-empty catalogue, without
 * `inPlace` for another's place.
 */
export async function rebuildEvents(
  ctx: Context,
  { add = false, inPlace = false, dryRun = false, owner }: RebuildOptions,
  { report = () => undefined }: Reporting = {},
): Promise<RebuiltCatalogue> {
  const { config, sql } = ctx.deps;
  if (!dryRun) await requireStopped(ctx, 'It would change the catalogue meanwhile.');
  if (!dryRun) await checkEmpty(ctx, add);
  // Not `deps.objects`, which refuses writes before the takeover.
  const objects = openObjectStore(config);
  await checkPlace(ctx, objects, inPlace);
  const compactor = await eventStore.openCompactor({ ...ctx.deps, objects }, REBUILD_ENGINE);
  try {
    let missing: AppScope[] = [];
    let organizations: string[] = [];
    const lookFor = async (db: Db, apps: readonly AppScope[]) => {
      missing = await eventStore.unknownApps(db, apps);
      organizations = await eventStore.unknownOrganizations(db, missing);
    };
    const rebuilt = await eventStore.rebuildCatalogue(compactor, { dryRun, report }, async (tx) => {
      await lookFor(tx, []);
      if (owner !== undefined) await recover(ctx, tx, owner);
      await takePlace(ctx, tx, objects);
    });
    const { seq: _seq, apps, ...done } = rebuilt;
    if (dryRun) await lookFor(sql, apps);
    return {
      ...done,
      unknownApps: missing.map(({ appId }) => appId),
      unknownOrganizations: organizations,
    };
  } finally {
    compactor.connection.closeSync();
  }
}
