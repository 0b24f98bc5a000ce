import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { DateTime, parser } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';
import { writeDurably } from '../../storage/files.ts';
import { type Commit, commitsLostAt, noteIfLost } from '../catalogue/sweep-queries.ts';
import { LAST_COMMIT_KEY } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { databaseTime } from './queries.ts';

const commits = parser(Type.Object({ segmentId: Type.String(), at: DateTime }), 'last commit');

const fileOf = (logDir: string) => join(logDir, 'last-commit.json');
const encode = (commit: Commit) => Buffer.from(JSON.stringify(commit));

/** Null where none is readable. */
async function decode(text: Promise<string | undefined>): Promise<Commit | null> {
  try {
    return commits.parse(JSON.parse((await text) ?? ''));
  } catch {
    return null;
  }
}

const readOwn = (logDir: string) => decode(Bun.file(fileOf(logDir)).text());

type Noting = Pick<Compactor, 'log' | 'logDir' | 'objects' | 'sql'>;

export async function noteCommit({ sql, logDir }: Noting, segmentId: string): Promise<void> {
  const at = toIso(await databaseTime(sql));
  await writeDurably(fileOf(logDir), encode({ segmentId, at }));
}

async function check({ sql, log }: Noting, commit: Commit | null): Promise<void> {
  if (commit === null || !(await noteIfLost(sql, commit))) return;
  log.error({ ...commit }, 'the database went back in time: the event catalogue lacks commits');
}

/** A database loses its latest commits, so a host's last one stands for all of its own. */
export const checkOwnCommit = async (compactor: Noting): Promise<void> =>
  check(compactor, await readOwn(compactor.logDir));

/** For hosts that are gone. */
export async function checkSharedCommit(compactor: Noting): Promise<void> {
  const { objects, logDir } = compactor;
  const bytes = await objects.getBytes(LAST_COMMIT_KEY);
  const shared = bytes && (await decode(new Response(bytes.slice()).text()));
  await check(compactor, shared);
  const own = await readOwn(logDir);
  if (own && own.at > (shared?.at ?? '')) await objects.putBytes(LAST_COMMIT_KEY, encode(own));
}

export async function catalogueHealth({
  sql,
}: Pick<Compactor, 'sql'>): Promise<{ good: boolean; detail: string }> {
  const lostAt = await commitsLostAt(sql);
  if (lostAt === null) return { good: true, detail: 'The event catalogue has every commit.' };
  return {
    good: false,
    detail: `PostgreSQL went back in time before ${toIso(lostAt)}: acknowledged events are in files that it does not name. No event file is deleted meanwhile. Stop the service on every host, run "bun run admin events rebuild-catalogue --add", and start it again.`,
  };
}
