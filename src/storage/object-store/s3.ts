import { mkdirSync } from 'node:fs';
import { access, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { S3Client } from 'bun';
import { trimCache } from './cache.ts';
import { assertKey, type ObjectInfo, type ObjectStore } from './port.ts';

/** Copies used within the quarter of an hour stay: a query may have just been given their path. */
const CACHE_LIMITS = { maxBytes: 20 * 1024 ** 3, keepMs: 15 * 60 * 1_000 };

export type S3Settings = {
  bucket: string;
  prefix: string;
  endpoint: string | undefined;
  region: string;
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  /** Copies of what was read or written lie here; it may be deleted at any time. */
  cacheDir: string;
};

function createClient(settings: S3Settings): S3Client {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    bucket,
    region,
    ...(endpoint && { endpoint }),
    ...(accessKeyId && { accessKeyId }),
    ...(secretAccessKey && { secretAccessKey }),
  });
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Fetches into the cache: under another name first, so that a reader never sees half a file. */
async function download(client: S3Client, name: string, path: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await Bun.write(temporary, client.file(name));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function listAll(client: S3Client, root: string, prefix: string): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = [];
  let continuationToken: string | undefined;
  do {
    const page = await client.list({
      prefix: root + prefix,
      maxKeys: 1_000,
      ...(continuationToken && { continuationToken }),
    });
    for (const object of page.contents ?? []) {
      found.push({
        key: object.key.slice(root.length),
        bytes: object.size ?? 0,
        modifiedAt: new Date(object.lastModified ?? 0),
      });
    }
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (continuationToken);
  return found;
}

/** Objects in a bucket, with a cache on this host's disk that serves reads. */
export function s3ObjectStore(settings: S3Settings): ObjectStore {
  const client = createClient(settings);
  const root = settings.prefix === '' ? '' : `${settings.prefix}/`;
  const scratchDir = join(settings.cacheDir, '.scratch');
  const fetching = new Map<string, Promise<void>>();
  const nameOf = (key: string) => {
    assertKey(key);
    return root + key;
  };
  const cachePath = (key: string) => join(settings.cacheDir, key);
  const fetchOnce = (key: string): Promise<void> => {
    const running = fetching.get(key);
    if (running) return running;
    const started = download(client, nameOf(key), cachePath(key)).finally(() =>
      fetching.delete(key),
    );
    fetching.set(key, started);
    return started;
  };
  mkdirSync(scratchDir, { recursive: true, mode: 0o700 });
  return {
    scratchPath: (name) => join(scratchDir, name),
    adopt: async (scratchPath, key) => {
      await client.write(nameOf(key), Bun.file(scratchPath));
      await mkdir(dirname(cachePath(key)), { recursive: true });
      await rename(scratchPath, cachePath(key));
    },
    putBytes: async (key, bytes) => {
      await client.write(nameOf(key), bytes);
    },
    getBytes: async (key) => {
      const object = client.file(nameOf(key));
      return (await object.exists()) ? new Uint8Array(await object.arrayBuffer()) : null;
    },
    localPath: async (key) => {
      const path = cachePath(key);
      const now = new Date();
      // The time of last use decides what the cache drops first.
      if (await isThere(path)) await utimes(path, now, now).catch(() => undefined);
      else await fetchOnce(key);
      return path;
    },
    remove: async (key) => {
      await client.delete(nameOf(key));
      await rm(cachePath(key), { force: true });
    },
    list: (prefix) => listAll(client, root, prefix),
    isRemote: true,
    trim: (nowMs) => trimCache(settings.cacheDir, { ...CACHE_LIMITS, nowMs }),
  };
}
