import { afterAll } from 'bun:test';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from 'bun';
import type { S3Settings } from '../../src/storage/object-store/s3.ts';
import { temporaryFolder } from './events.ts';

const VERSION = 'v1.8.0';
const MODULE = `github.com/versity/versitygw/cmd/versitygw@${VERSION}`;
const CREDENTIALS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret' };

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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function answers(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => null))) await Bun.sleep(50);
}

export type TestS3 = {
  settings: S3Settings;
  endpoint: string;
  credentials: typeof CREDENTIALS;
  client: S3Client;
};

/** A real S3 server on a folder of its own, or null after saying why there is none. */
export async function testS3(): Promise<TestS3 | null> {
  const path = binaryPath();
  if (!existsSync(path) && !(await build(path))) {
    console.log('not run: S3 (no versitygw here, and no Go to build it with)');
    return null;
  }
  const folder = temporaryFolder('s3');
  mkdirSync(join(folder, 'data', 'events-bucket'), { recursive: true });
  const port = await freePort();
  const { accessKeyId, secretAccessKey } = CREDENTIALS;
  const child = Bun.spawn(
    [
      path,
      '--access',
      accessKeyId,
      '--secret',
      secretAccessKey,
      '--port',
      `127.0.0.1:${port}`,
      'posix',
      join(folder, 'data'),
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  );
  afterAll(() => child.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(endpoint);
  return {
    endpoint,
    credentials: CREDENTIALS,
    client: new S3Client({ bucket: 'events-bucket', endpoint, ...CREDENTIALS }),
    settings: {
      bucket: 'events-bucket',
      prefix: 'some/prefix',
      endpoint,
      region: 'us-east-1',
      ...CREDENTIALS,
      cacheDir: join(folder, 'cache'),
    },
  };
}
