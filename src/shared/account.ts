import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { at } from './assert.ts';

export type Account = { uid: number; gid: number };

const POSTGRES = 'postgres';

function lookUp(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const result = Bun.spawnSync(['id', flag, name], { stderr: 'ignore' });
    return result.exitCode === 0 ? Number(result.stdout.toString().trim()) : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** PostgreSQL refuses root; most images lack its account. */
function createAccount(name: string): Account | undefined {
  const useradd = ['useradd', '--system', '--user-group', '--shell', '/bin/sh', name];
  const adduser = ['adduser', '-S', '-D', '-H', name];
  for (const command of [useradd, adduser]) {
    if (!Bun.which(at(command, 0))) continue;
    Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' });
    const account = lookUp(name);
    if (account) return account;
  }
  return undefined;
}

export function systemAccount(name: string): Account | undefined {
  return lookUp(name) ?? createAccount(name);
}

/** Undefined unless root; created when missing. */
export function postgresAccount(name = POSTGRES): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = systemAccount(name);
  if (account) return account;
  throw new Error(
    `PostgreSQL cannot run as root and no "${name}" account could be made. Create it ` +
      `(useradd --system ${name}), start as an ordinary user, or set DATABASE_URL.`,
  );
}

function maySearch(folder: string, account: Account): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/** Whether `account` has search permission on all parent folders. */
export function canReach(path: string, account: Account): boolean {
  const parent = dirname(path);
  if (parent === path) return true;
  return maySearch(parent, account) && canReach(parent, account);
}
