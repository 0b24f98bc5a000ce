import { afterAll } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { S3Client } from 'bun';
import type { S3Settings } from '../../src/storage/object-store/s3.ts';
import { temporaryFolder } from './events.ts';
import { findVersitygw } from './versitygw.ts';

const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret' };

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
  const path = await findVersitygw();
  if (path === null) {
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
    client: new S3Client({ bucket: 'events-bucket', endpoint, region: REGION, ...CREDENTIALS }),
    settings: {
      bucket: 'events-bucket',
      prefix: 'some/prefix',
      endpoint,
      region: REGION,
      ...CREDENTIALS,
      cacheDir: join(folder, 'cache'),
    },
  };
}
