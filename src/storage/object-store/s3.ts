import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { S3Client } from 'bun';
import { MINUTE_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { askBucket, isNotThere } from './bucket-failure.ts';
import type { CredentialSource, S3Credentials } from './credentials.ts';
import { ANSWER_MS, Downloads } from './downloads.ts';
import { assertKey, type ObjectInfo, type ObjectStore } from './port.ts';

/** A query may be about to open them. */
const KEEP_MS = 15 * MINUTE_MS;
const SLOWEST_BYTES_A_MS = 100;
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const LARGEST_BYTES_AT_ONCE = 8 * MIB;

export type S3Settings = {
  bucket: string;
  prefix: string;
  endpoint: string | undefined;
  region: string;
  /** For a role; otherwise the keys below. */
  credentials?: CredentialSource | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
  /** For temporary keys. */
  sessionToken?: string | undefined;
  cacheDir: string;
  cacheGb?: number;
  reserveMb?: number;
  answerMs?: number;
};

const DEFAULT_CACHE_GB = 20;
const DEFAULT_RESERVE_MB = 1_024;

type Keys = Pick<S3Settings, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;

function createClient(
  { bucket, endpoint, region }: S3Settings,
  { accessKeyId, secretAccessKey, sessionToken }: Keys,
): S3Client {
  return new S3Client({
    bucket,
    region,
    ...(endpoint && { endpoint }),
    ...(accessKeyId && { accessKeyId }),
    ...(secretAccessKey && { secretAccessKey }),
    ...(sessionToken && { sessionToken }),
  });
}

function clientOpener(settings: S3Settings): () => Promise<S3Client> {
  const { credentials: source, accessKeyId, secretAccessKey, sessionToken } = settings;
  if (source === undefined) {
    const client = createClient(settings, { accessKeyId, secretAccessKey, sessionToken });
    return async () => client;
  }
  const clients = new WeakMap<S3Credentials, S3Client>();
  return async () => {
    const credentials = await source();
    const client = clients.get(credentials) ?? createClient(settings, credentials);
    clients.set(credentials, client);
    return client;
  };
}

export const openS3Client = (settings: S3Settings): Promise<S3Client> => clientOpener(settings)();

async function listAll(
  client: S3Client,
  { root, prefix, answerMs }: { root: string; prefix: string; answerMs: number },
): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = [];
  let continuationToken: string | undefined;
  do {
    const listed = client.list({
      prefix: root + prefix,
      maxKeys: 1_000,
      ...(continuationToken && { continuationToken }),
    });
    const page = await withTimeout(listed, answerMs);
    for (const object of page.contents ?? []) {
      found.push({
        key: object.key.slice(root.length),
        bytes: object.size ?? 0,
        modifiedAt: new Date(object.lastModified ?? 0),
      });
    }
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
    if (page.isTruncated && !continuationToken)
      throw new Error('A page of a list has no next one.');
  } while (continuationToken);
  return found;
}

export function s3ObjectStore(settings: S3Settings): ObjectStore {
  const client = clientOpener(settings);
  const root = settings.prefix === '' ? '' : `${settings.prefix}/`;
  const { cacheDir, cacheGb = DEFAULT_CACHE_GB, reserveMb = DEFAULT_RESERVE_MB } = settings;
  const { answerMs = ANSWER_MS } = settings;
  const downloads = new Downloads({
    client,
    cacheDir,
    limits: { maxBytes: cacheGb * GIB, keepMs: KEEP_MS },
    reserveBytes: reserveMb * MIB,
    answerMs,
  });
  const nameOf = (key: string) => {
    assertKey(key);
    return root + key;
  };
  const cachePath = (key: string) => join(settings.cacheDir, key);
  const ask = <T>(what: string, request: (client: S3Client) => Promise<T>, bytes = 0): Promise<T> =>
    askBucket(settings, what, () =>
      withTimeout(client().then(request), answerMs + bytes / SLOWEST_BYTES_A_MS),
    );
  return {
    scratchPath: downloads.scratch.path,
    adopt: async (scratchPath, key) => {
      const file = Bun.file(scratchPath);
      await ask(`take ${key}`, (bucket) => bucket.write(nameOf(key), file), file.size);
      await mkdir(dirname(cachePath(key)), { recursive: true });
      await rename(scratchPath, cachePath(key));
    },
    putBytes: async (key, bytes) => {
      await ask(`take ${key}`, (bucket) => bucket.write(nameOf(key), bytes), bytes.length);
    },
    getBytes: (key) =>
      ask(
        `give ${key}`,
        async (bucket) => bucket.file(nameOf(key)).bytes(),
        LARGEST_BYTES_AT_ONCE,
      ).catch((thrown: unknown) => {
        if (isNotThere(thrown)) return null;
        throw thrown;
      }),
    localPath: async (key) => {
      const path = cachePath(key);
      const now = new Date();
      // Last use determines eviction order.
      if (await Bun.file(path).exists()) await utimes(path, now, now).catch(() => undefined);
      else await askBucket(settings, `give ${key}`, () => downloads.fetch(nameOf(key), path));
      return path;
    },
    remove: async (key) => {
      await ask(`delete ${key}`, (bucket) => bucket.delete(nameOf(key))).catch(
        (thrown: unknown) => {
          // Some stores (not AWS) report a concurrent deletion.
          if (!isNotThere(thrown)) throw thrown;
        },
      );
      await rm(cachePath(key), { force: true });
    },
    list: (prefix) =>
      askBucket(settings, `list ${prefix}`, async () =>
        listAll(await client(), { root, prefix, answerMs }),
      ),
    isRemote: true,
    trim: (nowMs) => downloads.trim(nowMs),
  };
}
