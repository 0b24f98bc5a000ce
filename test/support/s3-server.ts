import { afterAll } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { S3Client } from 'bun';
import type { S3Settings } from '../../src/storage/object-store/s3.ts';
import { temporaryFolder } from './events.ts';
import { findVersitygw, startVersitygw } from './versitygw.ts';

const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret' };

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
  const { endpoint, stop } = await startVersitygw(path, {
    folder: join(folder, 'data'),
    ...CREDENTIALS,
  });
  afterAll(stop);
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
