import type { SystemContext } from '../../context.ts';
import { eraseAgain, erasedInFiles, openCompactor } from '../../event-store/keep.ts';
import { isAnyUserOfOther } from '../../event-store/people.ts';
import { advanceCatalogue } from '../../event-store/place.ts';
import { spellingsOf } from '../../shared/account-token.ts';
import { AppError } from '../../shared/errors.ts';
import { openObjectStore } from '../../storage/object-store/open.ts';
import type { Db } from '../../storage/postgres.ts';
import { readRestored, setErasedSince } from '../../storage/restored.ts';
import { erasePlaces } from '../../storage/stored-rows.ts';
import { endOrganizations } from '../identity/index.ts';
import * as queries from './queries.ts';

const ENGINE = { name: 'gone', memoryMb: 512, threads: 2 };

export type GoneAgain = { people: number; apps: number; organizations: number };

type Context = SystemContext<'clock' | 'config' | 'log' | 'personPlaces' | 'sql'>;

export async function checkGone(db: Db, text: string): Promise<queries.Gone> {
  const gone = queries.parseGone(text);
  const { id } = await readRestored(db);
  if (gone.installation === id) return gone;
  throw new AppError(
    'conflict',
    `The list is of installation ${gone.installation}, the backup of ${id}.`,
  );
}

/** Before anybody is answered. Idempotent. */
export async function eraseGone(ctx: Context, text: string): Promise<GoneAgain> {
  const { deps } = ctx;
  const gone = await checkGone(deps.sql, text);
  const done = await deps.sql.begin(async (tx) => {
    const people = await queries.insertErasures(tx, gone);
    const organizations = await endOrganizations(tx, gone.organizations, deps.clock());
    return { people, apps: await queries.deleteAppsAgain(tx, gone), organizations };
  });
  const store = { ...deps, objects: openObjectStore(deps.config) };
  const compactor = await openCompactor(store, ENGINE);
  const inFiles = await erasedInFiles(compactor).finally(() => compactor.connection.closeSync());
  await deps.sql.begin(async (tx) => {
    const inTables = await queries.erasedInTables(tx, deps.personPlaces);
    await queries.deleteErasedAliases(tx, inTables);
    for (const { id, erasedAs, ...scope } of inTables) {
      const isDevice = erasedAs === 'device';
      const spellings = spellingsOf(id);
      const isOthers = isDevice && (await isAnyUserOfOther(tx, scope, spellings));
      const person = {
        ids: isOthers ? [] : [id],
        devices: erasedAs === 'person' ? [] : [id],
        spellings: isDevice ? [] : spellings,
      };
      await erasePlaces(tx, deps.personPlaces, scope, person);
    }
    await eraseAgain(tx, [...inFiles, ...inTables], await advanceCatalogue(tx));
    await setErasedSince(tx, 'again');
  });
  return done;
}
