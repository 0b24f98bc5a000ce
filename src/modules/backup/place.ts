import type { SystemContext } from '../../context.ts';
import * as eventStore from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { openObjectStore } from '../../storage/object-store/open.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import { resolveAddress, copyMissing, namedObjects, withCopier } from './event-files.ts';
import { missingFiles } from './files.ts';
import type { Manifest } from './manifest.ts';
import type { Reporting } from './progress.ts';

export type RestoreOptions = {
  /** From the backup's installation, which no longer runs. */
  inPlace?: boolean | undefined;
  filesFrom?: string | undefined;
  /** Instead of a refusal. */
  withoutMissingFiles?: boolean | undefined;
};

export type RestoredPlace = {
  /** Throws for a place of another installation, before any write. */
  check: (tx: Tx) => Promise<void>;
  settle: (tx: Tx) => Promise<number>;
};

const INSTALLATION_ID_MIGRATION = '0004_installation.sql';

const keysIn = async (objects: Pick<ObjectStore, 'list'>, prefix: string) =>
  (await objects.list(prefix)).map(({ key }) => key);

/** Throws `unavailable` unless the operator accepts missing files. */
async function checkFiles(
  tx: Tx,
  objects: ObjectStore,
  { leftOut = [], withoutMissingFiles }: RestoreOptions & Pick<Manifest, 'leftOut'>,
): Promise<void> {
  const missing = await missingFiles(tx, await keysIn(objects, eventStore.EVENT_OBJECTS));
  if (missing.length === 0) return;
  if (withoutMissingFiles) return eventStore.forgetPaths(tx, missing);
  const isKnown = missing.every((path) => leftOut.includes(path));
  const why = isKnown ? 'damaged when' : 'replaced or removed after';
  throw new AppError('unavailable', `${missing.length} event files of the backup are missing.`, {
    hint: `They were ${why} it was made; the first is ${missing[0]}. Bring them back from an older backup, the bucket's versions or a copy of it (--files-from), or restore the rest: --without-missing-files.`,
  });
}

/** Throws `conflict` for the marker of a third installation. */
async function checkTakeOver(tx: Tx, objects: ObjectStore, ownId: string, manifest: Manifest) {
  const owner = await eventStore.readMarker(objects);
  const original = await eventStore.readInstallation(tx);
  const hasId = manifest.database.migrations.includes(INSTALLATION_ID_MIGRATION);
  if (owner === null || owner === ownId || owner === original.id || !hasId) return;
  throw new AppError(
    'conflict',
    `The files in EVENTS_URL belong to installation ${owner}, the backup is of ${original.id}.`,
    { hint: 'Set EVENTS_URL to the place of that installation, or to an empty one.' },
  );
}

/** By default a place of its own; in place, the rewritten marker stops the old installation. */
export async function preparePlace(
  { deps: { config, sql, clock } }: SystemContext<'clock' | 'config' | 'sql'>,
  { dir, manifest }: { dir: string; manifest: Manifest },
  options: RestoreOptions & Reporting,
): Promise<RestoredPlace> {
  const { url } = config.events;
  const objects = openObjectStore(config);
  const inPlace = options.inPlace === true;
  const id = inPlace
    ? (await eventStore.readInstallation(sql)).id
    : await eventStore.claimPlace({ sql, clock, objects, url });
  const copyFrom = sourceUrl(dir, manifest, options);
  return {
    check: async (tx) => {
      if (inPlace) await checkTakeOver(tx, objects, id, manifest);
    },
    settle: async (tx) => {
      let copied = 0;
      if (copyFrom !== null) {
        const places = { from: copyFrom, to: url };
        copied = await withCopier(config, places, async (copier) => {
          const named = await namedObjects(tx, copier.source);
          return (await copyMissing(copier, named, options)).copied;
        });
      }
      await checkFiles(tx, objects, { ...options, ...manifest });
      await eventStore.setIdentity(tx, { id, url, at: clock(), inPlace });
      if (inPlace) await eventStore.writeMarker(objects, id, clock());
      return copied;
    },
  };
}

/** Null when the files are in the backup's folder, or in place. */
function sourceUrl(
  dir: string,
  { objects, kept, eventsUrl }: Manifest,
  { filesFrom, inPlace }: RestoreOptions,
): string | null {
  if (filesFrom !== undefined) return filesFrom;
  if (kept !== undefined) return resolveAddress(dir, kept.at);
  return objects === null && !inPlace ? eventsUrl : null;
}
