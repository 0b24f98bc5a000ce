import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { at } from '../../src/shared/assert.ts';
import type { DrillHost } from './drill-hosts.ts';
import type { TestS3 } from './s3-server.ts';
import { ROOT } from './sources.ts';
import { keepSaid } from './streams.ts';
import { until } from './until.ts';

type Env = Record<string, string>;

/** Gone with the run: within a test `afterAll` is its end. */
const newFolder = (name: string) => mkdtemp(join(tmpdir(), `${name}-`));

/** `bun run admin …` as an operator types it: in a process of its own, while the load goes on. */
export async function operate(words: readonly string[], env: Env): Promise<string> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/admin/main.ts'), ...words], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const said = await Promise.all([child.stdout.text(), child.stderr.text()]);
  keepSaid(`admin ${words[0]}`, `${words.join(' ')}\n${said.join('')}`);
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')}: ${said.join('\n')}`);
  return said.join('');
}

const BACKUPS = 'backups/';
const MANIFEST = 'manifest.json';

/** Keys below `prefix`. */
async function keysOf({ client }: TestS3, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (let startAfter: string | undefined; ; ) {
    const page = await client.list({ prefix, ...(startAfter && { startAfter }) });
    const found = page.contents?.map(({ key }) => key) ?? [];
    keys.push(...found);
    if (!page.isTruncated || found.length === 0) return keys;
    startAfter = found.at(-1);
  }
}

const momentOf = (key: string) =>
  Date.parse(
    key.replace(/^.*\/backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\/.*$/, '$1-$2-$3T$4:$5:$6Z'),
  );

/** Waits for a backup that was begun after `sinceMs`; the newest, by its prefix. */
export async function newestBackup(s3: TestS3, sinceMs: number): Promise<string> {
  return until('a backup is in the bucket', async (saw) => {
    const finished = (await keysOf(s3, BACKUPS)).filter((key) => key.endsWith(`/${MANIFEST}`));
    const newest = finished.toSorted((a, b) => momentOf(a) - momentOf(b)).at(-1);
    saw(newest);
    return newest !== undefined && momentOf(newest) > sinceMs && newest.slice(0, -MANIFEST.length);
  });
}

/** As `aws s3 sync` does. */
export async function fetchBackup(s3: TestS3, prefix: string): Promise<string> {
  const dir = await newFolder('fetched');
  for (const key of await keysOf(s3, prefix)) {
    const path = join(dir, key.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await Bun.write(path, await s3.client.file(key).arrayBuffer());
  }
  return dir;
}

/** What an empty service is started with, where no client reaches it. */
function withoutPlace(env: Env): Env {
  const places = ['EVENTS_URL', 'EVENTS_ACK', 'BACKUP_TO', 'BACKUP_EVERY_HOURS', 'BACKUP_KEEP'];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !places.includes(name)));
}

/**
 * docs/runbook.md, "In place" and "A backup of yesterday, the files of today": the host has an empty
 * disk, but for event logs that survived, and is stopped in the end.
 */
export async function restoreInPlace(
  host: DrillHost,
  env: Env,
  { dir, logs }: { dir: string; logs: readonly string[] },
): Promise<string> {
  const here = { ...env, DATA_DIR: host.dataDir };
  await host.start(withoutPlace(env), 0);
  await operate(['backup', 'verify', dir], here);
  await operate(['restore', dir, '--in-place', '--without-gone'], here);
  await host.stop();
  for (const log of logs) await cp(log, join(host.dataDir, 'log'), { recursive: true });
  const rebuild = ['events', 'rebuild-catalogue'];
  await operate([...rebuild, '--dry-run'], here);
  return at((await operate([...rebuild, '--add'], here)).trim().split('\n'), 0);
}

/** The log of a host whose other data are given up. */
export async function keptLog(host: DrillHost): Promise<string> {
  const log = join(await newFolder('kept-log'), 'log');
  await cp(join(host.dataDir, 'log'), log, { recursive: true });
  await rm(host.dataDir, { recursive: true, force: true });
  host.renew();
  return log;
}
