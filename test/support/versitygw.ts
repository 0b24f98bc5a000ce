import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { until } from './until.ts';

const VERSION = 'v1.8.0';
const MODULE = `github.com/versity/versitygw/cmd/versitygw@${VERSION}`;

/** Where the server lies once it has been built; outside the project, for every later run. */
function binaryPath(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'mobile-control-plane', 'versitygw', VERSION, 'versitygw');
}

async function build(path: string): Promise<boolean> {
  const go = Bun.which('go') ?? Bun.which('go', { PATH: '/usr/local/go/bin' });
  if (go === null) return false;
  const building = `${path}-${process.pid}.building`;
  mkdirSync(building, { recursive: true });
  const child = Bun.spawn([go, 'install', MODULE], {
    env: { ...process.env, GOBIN: building },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  if ((await child.exited) !== 0) return false;
  // A half-built binary is never found under the final name.
  renameSync(join(building, 'versitygw'), path);
  return true;
}

/** The S3 server of the tests, built once for this machine; null without Go. */
export async function findVersitygw(): Promise<string | null> {
  const path = binaryPath();
  return existsSync(path) || (await build(path)) ? path : null;
}

export type S3Process = { pid: number; endpoint: string; stop: () => void };

type S3Options = {
  /** Its folders are the buckets. */
  folder: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** A line for each call, as S3's own server access logs have. */
  accessLog?: string;
};

/** A real S3 server on a folder, from when it answers until `stop`. */
export async function startVersitygw(path: string, options: S3Options): Promise<S3Process> {
  const { folder, accessKeyId, secretAccessKey, accessLog } = options;
  const address = `127.0.0.1:${await freePort()}`;
  const flags = { access: accessKeyId, secret: secretAccessKey, port: address };
  const child = Bun.spawn(
    [
      path,
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
      ...(accessLog ? ['--access-log', accessLog] : []),
      'posix',
      folder,
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  );
  const endpoint = `http://${address}`;
  await until('the server answers', async () => await fetch(endpoint).catch(() => null));
  return { pid: child.pid, endpoint, stop: () => child.kill('SIGKILL') };
}

// `.ci/tools` builds it before the tests, each process of which would build one at the same time.
if (import.meta.main && (await findVersitygw()) === null) process.exit(1);
