import { AppError } from '../../shared/errors.ts';
import type { Tx } from '../../storage/postgres.ts';
import * as catalogue from '../catalogue/queries.ts';
import { writeKeyRun } from '../compaction/maintain-runs.ts';
import type { NewKeyRun } from '../file/event-file.ts';
import { type EventImport, isImportUndoneSince } from '../imports/queries.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { deletedApps, insertAliases } from '../people/queries.ts';
import type { Examined, Replacement } from './examine.ts';
import * as queries from './queries.ts';
import { keptIdentities, remainingAliases } from './summarize.ts';

export type PreparedUndo = {
  chunks: readonly number[];
  seq: number;
  repeats: readonly queries.RepeatedEvent[];
  examined: ReadonlyMap<string, Examined>;
  written: ReadonlyMap<string, Replacement>;
};

const ROWS_AT_ONCE = 10_000;

function refuse(message: string, hint: string): never {
  throw new AppError('conflict', message, { hint });
}

/** Requires the catalogue lock. */
async function validate(tx: Tx, of: EventImport, prepared: PreparedUndo): Promise<void> {
  if ((await queries.selectChunks(tx, of)).length !== prepared.chunks.length) {
    refuse('The import is under way.', 'Nothing was removed. End the import first.');
  }
  if (await isImportUndoneSince(tx, [of.appId], prepared.seq)) {
    refuse('Another import was undone at the same time.', 'Nothing was removed. Try again.');
  }
  if ((await deletedApps(tx, [of.appId])).size > 0) {
    throw new AppError('not_found', 'The app was deleted.');
  }
  const files = await catalogue.liveFilesWith(tx, of.appId);
  const isMoved = files.some(({ fileId }) => !prepared.examined.has(fileId));
  const ownerOf = new Map(
    (await queries.selectRepeats(tx, of)).map(({ key, owner }) => [key, owner]),
  );
  const isRepeated =
    ownerOf.size !== prepared.repeats.length ||
    prepared.repeats.some(({ key, owner }) => ownerOf.get(key) !== owner);
  if (isMoved || isRepeated) throw new catalogue.CatalogueMoved();
}

/** Remaining rows by next owner: empty for the app, else an import. */
type Kept = { owner: string; events: queries.AdoptedEvent[]; run: NewKeyRun | null };

async function writeKept(
  compactor: Compactor,
  { repeats, examined }: PreparedUndo,
): Promise<Kept[]> {
  const ownerOf = new Map(repeats.map(({ key, owner }) => [key, owner]));
  const identities = await keptIdentities(compactor, [...examined.keys()]);
  const kept: Kept[] = [];
  for (const [owner, events] of Map.groupBy(identities, ({ key }) => ownerOf.get(key) ?? '')) {
    const run = await writeKeyRun(compactor, events, owner === '' ? null : owner);
    const adopted = events.map(({ key, receivedAtUs }) => ({
      key,
      receivedAtMs: receivedAtUs / 1_000,
    }));
    kept.push({ owner, events: adopted, run });
  }
  return kept;
}

async function insertAll(
  tx: Tx,
  compactor: Compactor,
  of: EventImport,
  { written, kept }: PreparedUndo & { kept: readonly Kept[] },
): Promise<void> {
  const seq = await catalogue.advanceCatalogue(tx);
  const { remaining } = await remainingAliases(compactor, tx, of);
  await queries.moveRepeats(tx, of);
  await queries.deleteImport(tx, of, seq);
  for (let from = 0; from < remaining.length; from += ROWS_AT_ONCE) {
    await insertAliases(tx, remaining.slice(from, from + ROWS_AT_ONCE), seq);
  }
  await catalogue.retireFiles(tx, [...written.keys()]);
  for (const replacement of written.values()) {
    for (const file of replacement.added) await catalogue.insertFile(tx, file, replacement.seq);
  }
  for (const { owner, events, run } of kept) {
    if (run) await catalogue.insertRun(tx, run, seq);
    if (owner !== '') await queries.insertAdopted(tx, of, owner, events);
  }
}

/** Throws `CatalogueMoved`, without changes, when files or repeats came since. */
export async function commitUndo(
  compactor: Compactor,
  of: EventImport,
  prepared: PreparedUndo,
  settle: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { sql, objects } = compactor;
  const kept = await writeKept(compactor, prepared);
  try {
    await sql.begin(async (tx) => {
      await catalogue.lockCatalogue(tx);
      await validate(tx, of, prepared);
      await insertAll(tx, compactor, of, { ...prepared, kept });
      await settle(tx);
    });
  } catch (error) {
    if (error instanceof catalogue.CatalogueMoved) {
      for (const { run } of kept) if (run) await objects.remove(run.path);
    }
    throw error;
  }
}
