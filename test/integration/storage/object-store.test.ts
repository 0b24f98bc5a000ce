import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import {
  BucketFailure,
  isBucketUnavailable,
} from '../../../src/storage/object-store/bucket-failure.ts';
import { CacheFull, trimCache } from '../../../src/storage/object-store/cache.ts';
import { type DownloadOptions, Downloads } from '../../../src/storage/object-store/downloads.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import { s3ObjectStore } from '../../../src/storage/object-store/s3.ts';
import { temporaryFolder } from '../../support/events.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { testS3 } from '../../support/s3-server.ts';

const filesIn = async (dir: string) =>
  (await readdir(dir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

const s3 = await testS3();
const stores: [string, () => ObjectStore][] = [
  ['a folder', () => localObjectStore(temporaryFolder('objects'))],
];
if (s3) stores.push(['S3', () => s3ObjectStore(s3.settings)]);

for (const [name, open] of stores) {
  describe(`objects in ${name}`, () => {
    const store = open();

    test('come back as they were put', async () => {
      const bytes = crypto.getRandomValues(new Uint8Array(50_000));
      await store.putBytes('raw/one.bin', bytes);
      expect(await store.getBytes('raw/one.bin')).toEqual(bytes);
      expect(new Uint8Array(await readFile(await store.localPath('raw/one.bin')))).toEqual(bytes);
    });

    test('that are not there are null, and removing them is fine', async () => {
      expect(await store.getBytes('raw/none.bin')).toBeNull();
      await store.remove('raw/none.bin');
    });

    test('are adopted from scratch files', async () => {
      const scratch = store.scratchPath('made.parquet');
      await writeFile(scratch, 'content');
      await store.adopt(scratch, 'events/level0/made.parquet');
      expect(await Bun.file(scratch).exists()).toBe(false);
      expect(await Bun.file(await store.localPath('events/level0/made.parquet')).text()).toBe(
        'content',
      );
    });

    test('are listed by prefix with their size, and gone once removed', async () => {
      await store.putBytes('list/a', Buffer.from('1'));
      await store.putBytes('list/deep/b', Buffer.from('22'));
      const found = await store.list('list/');
      expect(found.map(({ key, bytes }) => [key, bytes]).toSorted()).toEqual([
        ['list/a', 1],
        ['list/deep/b', 2],
      ]);
      await store.remove('list/a');
      expect((await store.list('list/')).map(({ key }) => key)).toEqual(['list/deep/b']);
      expect(await store.list('nothing/')).toEqual([]);
    });

    test('are listed whole while others come and go, without what is being written', async () => {
      const [own, steady] = [open(), Array.from({ length: 200 }, (_, n) => `steady/${n}`)];
      await Promise.all(steady.map((key) => own.putBytes(key, Buffer.from('1'))));
      let done = false;
      const comeAndGo = async (lane: number) => {
        for (let n = 0; !done; n += 1) {
          const scratch = own.scratchPath(`${lane}-${n}`);
          await writeFile(scratch, 'content');
          await own.adopt(scratch, `going/${lane}/${n}`);
          await own.remove(`going/${lane}/${n}`);
        }
      };
      const lanes = Array.from({ length: 8 }, (_, lane) => comeAndGo(lane));
      for (let round = 0; round < 40; round += 1) {
        const keys = (await own.list('')).map(({ key }) => key);
        expect(keys.filter((key) => key.startsWith('steady/')).length).toBe(steady.length);
        expect(keys.filter((key) => key.startsWith('.'))).toEqual([]);
      }
      done = true;
      await Promise.all(lanes);
    });

    test('have keys that cannot climb out', async () => {
      for (const key of ['../x', '/x', 'a/../b', 'a//b', '', 'a b', '.hidden']) {
        await expect((async () => store.getBytes(key))()).rejects.toThrow('is not an object key');
      }
    });
  });
}

describe.skipIf(!s3)('the cache before S3', () => {
  test('is rebuilt when it is lost', async () => {
    const store = s3ObjectStore(s3!.settings);
    await store.putBytes('lost/file', Buffer.from('content'));
    const path = await store.localPath('lost/file');
    await rm(s3!.settings.cacheDir, { recursive: true });
    expect(await Bun.file(await store.localPath('lost/file')).text()).toBe('content');
    expect(path).toStartWith(s3!.settings.cacheDir);
  });

  test('fetches a file once for many readers and never shows half of it', async () => {
    const store = s3ObjectStore(s3!.settings);
    const bytes = crypto.getRandomValues(new Uint8Array(2_000_000).subarray(0, 60_000));
    await store.putBytes('many/file', bytes);
    const read = async () => readFile(await store.localPath('many/file'));
    const copies = await Promise.all(Array.from({ length: 20 }, read));
    expect(copies.every((copy) => copy.equals(bytes))).toBe(true);
    const folder = dirname(await store.localPath('many/file'));
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('fails to give what is not there', async () => {
    await expect(s3ObjectStore(s3!.settings).localPath('none/file')).rejects.toThrow();
  });
});

describe('a cache that is too large', () => {
  test('drops what was not used for longest, but nothing used just now', async () => {
    const dir = temporaryFolder('cache');
    const nowMs = Date.now();
    for (const [name, minutes] of [
      ['old', 60],
      ['older', 90],
      ['fresh', 1],
    ] as const) {
      await writeFile(join(dir, name), 'x'.repeat(100));
      const at = new Date(nowMs - minutes * 60_000);
      await utimes(join(dir, name), at, at);
    }
    const limits = { keepMs: 15 * 60_000, nowMs };
    expect(await trimCache(dir, { ...limits, maxBytes: 250 })).toBe(1);
    expect((await readdir(dir)).toSorted()).toEqual(['fresh', 'old']);
    expect(await trimCache(dir, { ...limits, maxBytes: 0 })).toBe(1);
    expect(await readdir(dir)).toEqual(['fresh']);
    expect(await trimCache(join(dir, 'none'), { ...limits, maxBytes: 0 })).toBe(0);
  });

  test('keeps nothing that was not used for three days, and no unfinished file', async () => {
    const dir = temporaryFolder('cache');
    const nowMs = Date.now();
    await mkdir(join(dir, '.scratch'));
    for (const [name, days] of [
      ['gone', 3.1],
      ['weekend', 2.9],
      ['.scratch/half', 4],
    ] as const) {
      await writeFile(join(dir, name), 'x'.repeat(100));
      const at = new Date(nowMs - days * 86_400_000);
      await utimes(join(dir, name), at, at);
    }
    expect(await trimCache(dir, { keepMs: 0, nowMs, maxBytes: 1_000 })).toBe(1);
    expect((await readdir(dir)).toSorted()).toEqual(['.scratch', 'weekend']);
  });
});

describe('unfinished files', () => {
  test('go with a killed process at once, and of other hosts after an hour', async () => {
    const dir = temporaryFolder('scratch');
    const store = localObjectStore(dir);
    const killed = Bun.spawnSync([process.execPath, '-e', '']).pid;
    const [host, , start] = basename(store.scratchPath('own')).split('~');
    const names = {
      own: 'own',
      killed: `${host}~${killed}~${start}~killed`,
      reused: `${host}~${process.pid}~1~reused`,
      elsewhere: `other.example~${killed}~1~elsewhere`,
      older: 'of-an-older-release',
    };
    await writeFile(store.scratchPath('own'), 'x');
    const { own: _, ...others } = names;
    for (const name of Object.values(others)) await writeFile(join(dir, '.scratch', name), 'x');
    const left = async () =>
      (await readdir(join(dir, '.scratch'))).map((name) => name.split('~').at(-1)).toSorted();
    expect(await store.trim(Date.now() + 59 * 60_000)).toBe(2);
    expect(await left()).toEqual(['elsewhere', 'of-an-older-release', 'own']);
    expect(await store.trim(Date.now() + 61 * 60_000)).toBe(2);
    expect(await left()).toEqual(['own']);
  });
});

describe('downloads', () => {
  function fakeBucket(sizes: Record<string, number>) {
    const file = (name: string) => ({ stat: async () => ({ size: sizes[name] }) });
    return (async () => ({ file })) as unknown as DownloadOptions['client'];
  }

  test('leave the reserve free: old copies go first, then the caller is told', async () => {
    const cacheDir = temporaryFolder('downloads');
    const old = join(cacheDir, 'old');
    await writeFile(old, 'x');
    await utimes(old, new Date(0), new Date(0));
    const downloads = new Downloads({
      client: fakeBucket({ big: 600 }),
      cacheDir,
      limits: { maxBytes: 10_000, keepMs: 60_000 },
      reserveBytes: 500,
      freeBytes: async () => 1_000,
    });
    await expect(downloads.fetch('big', join(cacheDir, 'big'))).rejects.toBeInstanceOf(CacheFull);
    expect(await filesIn(cacheDir)).toEqual([]);
  });

  test('that are running end when somebody else fills the disk, and leave nothing behind', async () => {
    const cacheDir = temporaryFolder('downloads');
    const part = new Uint8Array(1024 ** 2);
    const begun = Promise.withResolvers<void>();
    const full = Promise.withResolvers<void>();
    let asked = 0;
    let running = 0;
    const file = () => ({
      stat: async () => {
        asked += 1;
        return { size: 64 * part.length };
      },
      async *stream() {
        for (let n = 0; n < 64; n += 1) {
          yield part;
          if (n === 8) {
            running += 1;
            if (running === 2) begun.resolve();
            await full.promise;
          }
        }
      },
    });
    let free = 1024 ** 3;
    const downloads = new Downloads({
      client: (async () => ({ file })) as unknown as DownloadOptions['client'],
      cacheDir,
      limits: { maxBytes: 1024 ** 3, keepMs: 60_000 },
      reserveBytes: 128 * part.length,
      freeBytes: async () => free,
    });
    const both = ['a', 'b'].map((name) => downloads.fetch(name, join(cacheDir, name)));
    await begun.promise;
    expect(await filesIn(cacheDir)).toHaveLength(2);
    free = 127 * part.length;
    full.resolve();
    for (const outcome of await Promise.allSettled(both)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(CacheFull) });
    }
    expect(await filesIn(cacheDir)).toEqual([]);
    // The next one is not even asked for.
    await expect(downloads.fetch('c', join(cacheDir, 'c'))).rejects.toBeInstanceOf(CacheFull);
    expect(asked).toBe(2);
  });

  test('stop where a small disk is full, and go on when it has room', async () => {
    const cacheDir = temporaryFolder('small-disk');
    const mount = ['mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', cacheDir];
    if (Bun.spawnSync(mount, { stderr: 'ignore' }).exitCode !== 0) {
      console.log('not run: a small disk (tmpfs needs root)');
      return;
    }
    afterAll(() => void Bun.spawnSync(['umount', cacheDir]));
    const bytes = new Uint8Array(8 * 1024 ** 2);
    const file = () => ({
      stat: async () => ({ size: bytes.length }),
      stream: () => new Blob([bytes]).stream(),
    });
    const fetchOne = () =>
      new Downloads({
        client: (async () => ({ file })) as unknown as DownloadOptions['client'],
        cacheDir,
        limits: { maxBytes: 1024 ** 3, keepMs: 60_000 },
        reserveBytes: 4 * 1024 ** 2,
      }).fetch('one', join(cacheDir, 'one'));
    // Used just now, so the cache does not drop it.
    const other = join(cacheDir, 'other');
    await writeFile(other, new Uint8Array(14 * 1024 ** 2));
    await expect(fetchOne()).rejects.toBeInstanceOf(CacheFull);
    await rm(other);
    await fetchOne();
    expect(await Bun.file(join(cacheDir, 'one')).bytes()).toEqual(bytes);
  });

  test.skipIf(!s3)('of many files at once all come', async () => {
    const store = s3ObjectStore({ ...s3!.settings, cacheDir: temporaryFolder('few') });
    const keys = Array.from({ length: 30 }, (_, i) => `few/${i}`);
    await Promise.all(keys.map((key) => store.putBytes(key, Buffer.from(key))));
    const paths = await Promise.all(keys.map((key) => store.localPath(key)));
    const texts = await Promise.all(paths.map((path) => Bun.file(path).text()));
    expect(texts).toEqual(keys);
  });
});

describe('temporary credentials', () => {
  test('go along with their token', async () => {
    const tokens: (string | null)[] = [];
    const server = Bun.serve({
      port: 0,
      fetch: (request) => {
        tokens.push(request.headers.get('x-amz-security-token'));
        return new Response(null, { headers: { etag: '"x"' } });
      },
    });
    const store = s3ObjectStore({
      bucket: 'bucket',
      prefix: '',
      endpoint: server.url.origin,
      region: 'us-east-1',
      accessKeyId: 'access',
      secretAccessKey: 'secret',
      sessionToken: 'the-token',
      cacheDir: temporaryFolder('token'),
    });
    await store.putBytes('events/one', Buffer.from('x'));
    expect(tokens).toEqual(['the-token']);
    await server.stop(true);
  });
});

const storeAt = (endpoint: string, answerMs = 60_000) =>
  s3ObjectStore({
    bucket: 'events',
    prefix: 'live',
    endpoint,
    region: 'eu-central-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    cacheDir: temporaryFolder('away-cache'),
    answerMs,
  });

function requestsOf(away: ObjectStore): [string, () => Promise<unknown>][] {
  const adopted = async () => {
    const scratch = away.scratchPath('made');
    await writeFile(scratch, '1');
    await away.adopt(scratch, 'a/b');
  };
  return [
    ['take a/b', () => away.putBytes('a/b', Buffer.from('1'))],
    ['take a/b', adopted],
    ['give a/b', () => away.getBytes('a/b')],
    ['give a/b', () => away.localPath('a/b')],
    ['delete a/b', () => away.remove('a/b')],
    ['list a/', () => away.list('a/')],
  ];
}

describe('a bucket that takes requests and never answers', () => {
  const server = createServer((client) => client.resume());
  afterAll(() => server.close());
  const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  test('is given up, whatever it was asked', async () => {
    await listening;
    const { port } = server.address() as AddressInfo;
    const silent = storeAt(`http://127.0.0.1:${port}`, 50);
    for (const [what, request] of requestsOf(silent)) {
      const thrown = await request().catch((error: unknown) => error);
      expect([what, thrown]).toEqual([what, expect.objectContaining({ code: 'NoAnswer' })]);
      expect(isBucketUnavailable(thrown)).toBe(true);
    }
  });

  test('is given up amid a file, which leaves nothing behind', async () => {
    const cacheDir = temporaryFolder('stalls');
    const file = () => ({
      stat: async () => ({ size: 2 }),
      stream: () => new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }),
    });
    const downloads = new Downloads({
      client: (async () => ({ file })) as unknown as DownloadOptions['client'],
      ...{ cacheDir, limits: { maxBytes: 1_024, keepMs: 60_000 }, reserveBytes: 0, answerMs: 50 },
    });
    await expect(downloads.fetch('one', join(cacheDir, 'one'))).rejects.toThrow('no answer');
    expect(await filesIn(cacheDir)).toEqual([]);
  });
});

describe('a bucket that nobody answers for', () => {
  const endpoint = 'http://127.0.0.1:1';
  const requests = requestsOf(storeAt(endpoint));

  test.each(requests)('is named with what it was asked: %s', async (what, request) => {
    const thrown = await request().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(BucketFailure);
    expect(thrown).toMatchObject({
      message: `The bucket events at ${endpoint} did not ${what}, ConnectionRefused`,
      code: 'ConnectionRefused',
    });
    expect(isBucketUnavailable(thrown)).toBe(true);
  });

  test('is told apart from a file that it does not have', async () => {
    if (!s3) return;
    const thrown = await s3ObjectStore(s3.settings)
      .localPath('never/written')
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(BucketFailure);
    expect(isBucketUnavailable(thrown)).toBe(false);
  });
});

test.skipIf(!s3)('an object that goes while it is asked for is null', async () => {
  const { endpoint, client, settings } = s3!;
  // Others delete it before its bytes are asked for, whatever was asked before.
  const between = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (request.method === 'GET') await client.delete('some/prefix/segments/compacted.log');
      return fetch(`${endpoint}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
      });
    },
  });
  afterAll(() => between.stop(true));
  await client.write('some/prefix/segments/compacted.log', 'events');
  const store = s3ObjectStore({ ...settings, endpoint: between.url.origin });
  expect(await store.getBytes('segments/compacted.log')).toBeNull();
});

test('an object that another host deleted first is gone too, where the store says so', async () => {
  const said: string[] = [];
  const store404 = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      said.push(request.method);
      const error = '<Error><Code>NoSuchKey</Code><Message>It is not there.</Message></Error>';
      return new Response(error, { status: 404, headers: { 'content-type': 'application/xml' } });
    },
  });
  afterAll(() => store404.stop(true));
  const store = s3ObjectStore({
    bucket: 'events',
    prefix: '',
    endpoint: store404.url.origin,
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    cacheDir: temporaryFolder('gone-cache'),
  });
  await store.remove('segments/compacted.log');
  expect(said).toEqual(['DELETE']);
});

describe.skipIf(!s3)('a store whose connections are cut in the middle of a body', () => {
  const BYTES = 200_000;
  const KEYS = Array.from({ length: 40 }, (_, n) => `cut/${String(n).padStart(2, '0')}`);
  const bytesOf = (key: string) => Buffer.alloc(BYTES, `${key} `);

  /** Passes on so many bytes of each answer's connection. */
  async function cutting(target: URL, afterBytes: () => number) {
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      let left = afterBytes();
      upstream.on('data', (bytes: Buffer) => {
        client.write(bytes.subarray(0, Math.max(0, left)));
        left -= bytes.length;
        if (left < 0) client.destroySoon();
      });
      client.on('data', (bytes) => upstream.write(bytes));
      for (const socket of [client, upstream]) {
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          client.destroy();
          upstream.destroy();
        });
      }
    });
    const listening = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    afterAll(() => {
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('gives a whole object, a whole list, or an error', async () => {
    const { endpoint, settings } = s3!;
    const whole = s3ObjectStore({ ...settings, cacheDir: temporaryFolder('whole-cache') });
    for (const key of KEYS) await whole.putBytes(key, bytesOf(key));
    const random = randomFrom(58);
    let cuts = true;
    const through = await cutting(new URL(endpoint), () =>
      cuts ? Math.floor(random() * 1.5 * BYTES) : Infinity,
    );
    const cacheDir = temporaryFolder('cut-cache');
    const store = s3ObjectStore({ ...settings, endpoint: through, cacheDir });
    const counts = { whole: 0, failed: 0 };
    const reads = [
      async (key: string) => (await store.getBytes(key)) ?? 'none',
      async (key: string) => readFileSync(await store.localPath(key)),
    ];
    const check = async (read: (key: string) => Promise<Uint8Array | string>, key: string) => {
      const found = await read(key).catch(() => null);
      if (found === null) counts.failed += 1;
      else counts.whole += 1;
      if (found !== null) expect(Buffer.compare(Buffer.from(found), bytesOf(key))).toBe(0);
    };
    for (let round = 0; round < (isFullRun ? 20 : 1); round += 1) {
      for (const key of KEYS) for (const read of reads) await check(read, key);
      const listed = await store.list('cut/').catch(() => null);
      if (listed) expect(listed.map(({ key }) => key).toSorted()).toEqual(KEYS);
    }
    expect(counts.failed).toBeGreaterThan(KEYS.length / 4);
    expect(counts.whole).toBeGreaterThan(KEYS.length / 4);
    cuts = false;
    counts.failed = 0;
    for (const key of KEYS) for (const read of reads) await check(read, key);
    expect(counts.failed).toBe(0);
  });
});
