import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, canReach } from '../../shared/account.ts';
import { at } from '../../shared/assert.ts';
import { moveDurably, syncPath } from '../../storage/files.ts';
import type { PostgresBinaries } from './binaries.ts';
import { removeUnfinished } from './postgres-predecessor.ts';

export const SUPERUSER = 'postgres';
export const DATABASE = 'control_plane';
const STAGING_PREFIX = 'postgres.new-';

/** Relative under a private folder such as /root. */
export function dataFolderArgument(cluster: string, account: Account | undefined): string {
  if (!account || canReach(join(cluster, 'PG_VERSION'), account)) return cluster;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new Error(
    `The "postgres" account cannot reach ${cluster}. Set DATA_DIR to a folder that every user ` +
      'may search, start as an ordinary user, or set DATABASE_URL.',
  );
}

async function run(
  command: readonly string[],
  cwd: string,
  account: Account | undefined,
  input = '',
): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd,
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    ...(account ?? {}),
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  // Single-user mode exits with 0 even after a failed statement.
  if (code === 0 && !/^.*(FATAL|ERROR):/m.test(err)) return;
  throw new Error(`${command[0]} failed (exit code ${code}):\n${`${out}\n${err}`.trim()}`);
}

const INITDB_FLAGS = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums'];
const HOST_RULES = [
  'host all all 127.0.0.1/32 scram-sha-256',
  'host all all ::1/128 scram-sha-256',
];

export type NewCluster = {
  folder: string;
  password: string;
  binaries: PostgresBinaries;
  account: Account | undefined;
};

async function initialize(staging: string, cluster: NewCluster): Promise<void> {
  const { binaries, account, password } = cluster;
  await mkdir(staging, { mode: 0o700 });
  if (account) await chown(staging, account.uid, account.gid);
  const data = dataFolderArgument(staging, account);
  await run(
    [binaries.initdb, '-D', data, `--username=${SUPERUSER}`, ...INITDB_FLAGS],
    staging,
    account,
  );
  // The password is random.
  const statements = `SET scram_iterations = 1;\nALTER USER ${SUPERUSER} PASSWORD '${password}';\nCREATE DATABASE ${DATABASE};\n`;
  await run([binaries.postgres, '--single', '-D', data, 'postgres'], staging, account, statements);
  const rules = join(staging, 'pg_hba.conf');
  await Bun.write(rules, `${HOST_RULES.join('\n')}\n`);
  await syncPath(rules);
}

/** Built aside and renamed: a killed start leaves no partial cluster. */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const parent = dirname(cluster.folder);
  for (const name of await readdir(parent)) {
    if (name.startsWith(STAGING_PREFIX)) await removeUnfinished(join(parent, name));
  }
  const staging = join(parent, `${STAGING_PREFIX}${randomBytes(4).toString('hex')}`);
  await initialize(staging, cluster);
  await moveDurably(staging, cluster.folder);
}

export async function checkMajor(folder: string, binaries: PostgresBinaries): Promise<void> {
  const major = (await Bun.file(join(folder, 'PG_VERSION')).text()).trim();
  const ours = at(binaries.version.split('.'), 0);
  if (major === ours) return;
  throw new Error(
    `${folder} was written by PostgreSQL ${major}, and this release brings PostgreSQL ${ours}. ` +
      'Nothing was changed. Start the release that wrote it, run "bun run admin backup DIR", then ' +
      'start this release with an empty DATA_DIR and run "bun run admin restore DIR"; or point ' +
      `DATABASE_URL at a PostgreSQL ${major} server.`,
  );
}
