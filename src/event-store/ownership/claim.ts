import { AppError } from '../../shared/errors.ts';
import type { Clock } from '../../shared/time.ts';
import { lock } from '../../storage/locks.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { mayRest, type Sql, type Tx } from '../../storage/postgres.ts';
import { knownPaths } from '../catalogue/sweep-queries.ts';
import {
  EVENT_OBJECTS,
  MARKER_KEY,
  organizationOfReport,
  SALES_REPORTS,
} from '../objects/names.ts';
import { readMarker, writeMarker } from './marker.ts';
import {
  type Installation,
  livePaths,
  noteClaim,
  organizationIds,
  readInstallation,
} from './queries.ts';

export type Place = {
  sql: Sql;
  clock: Clock;
  /** Without the guard of this claim. */
  objects: ObjectStore;
  /** EVENTS_URL, for messages only; never compared. */
  url: string;
};

function ownedByAnother({ url }: Place, owner: string, own: Installation): AppError {
  const where = own.eventsUrl === null ? '' : ` Its own files are in ${own.eventsUrl}.`;
  return new AppError(
    'conflict',
    `The event files in ${url} belong to another installation (${owner}), this one is ${own.id}.${where}`,
    {
      hint: 'Set EVENTS_URL to the place of this installation, or to an empty one when it is new. "bun run admin restore --in-place" takes a place over from an installation that is gone.',
    },
  );
}

function elsewhere({ url }: Place, own: Installation, what: string): AppError {
  const where = own.eventsUrl === null ? 'another place' : own.eventsUrl;
  return new AppError('conflict', `${what} in ${url}: the files were last in ${where}.`, {
    hint: `Set EVENTS_URL on this host to the place that the other hosts use. If the files have moved, move all of them, ${MARKER_KEY} included.`,
  });
}

function unknownFiles({ url }: Place, count: number, own: Installation): AppError {
  return new AppError(
    'conflict',
    `${url} holds ${count} files that this database does not know: they belong to another installation, or to an earlier database of this one.`,
    {
      hint: `Set EVENTS_URL to an empty place, or put a backup of their database back with "bun run admin restore --in-place". To keep them beside this database, write {"installation":"${own.id}","claimedAt":"2026-01-01T00:00:00.000Z"} into ${MARKER_KEY} there.`,
    },
  );
}

type Names = { events: string[]; reports: string[] };

async function listPlace({ objects }: Place): Promise<Names> {
  const namesUnder = async (prefix: string) => (await objects.list(prefix)).map(({ key }) => key);
  const [events, reports] = await Promise.all([
    namesUnder(EVENT_OBJECTS),
    namesUnder(SALES_REPORTS),
  ]);
  return { events, reports };
}

async function countUnknown(tx: Tx, { events, reports }: Names): Promise<number> {
  const catalogued = await knownPaths(tx, events);
  const organizations = await organizationIds(tx);
  const isUnknown = (key: string) => !organizations.has(organizationOfReport(key));
  return events.filter((key) => !catalogued.has(key)).length + reports.filter(isUnknown).length;
}

/** Ours if it holds every live file; an empty catalogue needs an empty place. */
async function checkUnmarked(tx: Tx, place: Place, own: Installation, names: Names): Promise<void> {
  const live = await livePaths(tx);
  if (live.length > 0) {
    const stored = new Set(names.events);
    const missing = live.filter((path) => !stored.has(path)).length;
    if (missing === 0) return;
    throw elsewhere(place, own, `${missing} of ${live.length} event files are not`);
  }
  if (own.eventsClaimedAt !== null) {
    throw elsewhere(place, own, 'The event files of this installation are not');
  }
  const unknown = await countUnknown(tx, names);
  if (unknown > 0) throw unknownFiles(place, unknown, own);
}

/** Throws `conflict` with a hint when another owns it. */
export async function claimPlace(place: Place): Promise<string> {
  const { sql, objects, url, clock } = place;
  return sql.begin(async (tx) => {
    await mayRest(tx);
    await lock(tx, 'eventFiles');
    const own = await readInstallation(tx);
    // Listed early: first log copies wait for the claim.
    const [owner, early] = await Promise.all([
      readMarker(objects),
      own.eventsClaimedAt === null ? listPlace(place) : null,
    ]);
    if (owner !== null && owner !== own.id) throw ownedByAnother(place, owner, own);
    if (owner === null) {
      await checkUnmarked(tx, place, own, early ?? (await listPlace(place)));
      await writeMarker(objects, own.id, clock());
      // Concurrent claims: the last writer wins.
      const settled = await readMarker(objects);
      if (settled !== own.id) throw ownedByAnother(place, settled ?? 'unknown', own);
    }
    if (owner === null || own.eventsUrl !== url) await noteClaim(tx, url, clock());
    return own.id;
  });
}
