import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedCli, findTemporalCli } from '../../../src/launcher/embedded/temporal-cli.ts';
import { archiveSource, type CliSearch } from '../../../src/launcher/embedded/temporal-download.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'cli-'));
/** Tools that the steps call themselves; never a `temporal` or a `go`. */
const NO_PROGRAMS = newFolder();

function program(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function archiveOf(script: string): Buffer {
  const folder = newFolder();
  program(join(folder, 'temporal'), script);
  writeFileSync(join(folder, 'LICENSE'), 'text');
  Bun.spawnSync(['tar', '-czf', 'archive.tar.gz', 'LICENSE', 'temporal'], { cwd: folder });
  return readFileSync(join(folder, 'archive.tar.gz'));
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const good = archiveOf('echo "temporal version 1.5.1"');
const broken = archiveOf('exit 3');
let server: ReturnType<typeof Bun.serve>;
let requests: string[] = [];

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      if (pathname === '/good') return new Response(good);
      if (pathname === '/broken') return new Response(broken);
      if (pathname === '/half') {
        // Says how long it is, and ends before that.
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(good.subarray(0, good.length / 2));
            controller.error(new Error('cut'));
          },
        });
        return new Response(body, { headers: { 'content-length': String(good.length) } });
      }
      if (pathname === '/page') return new Response('<html>Sign in to this network</html>');
      return new Response('gone', { status: 404 });
    },
  });
});
afterAll(() => server.stop(true));

function search(overrides: Partial<CliSearch> = {}): CliSearch {
  requests = [];
  return {
    cliPath: undefined,
    cliDownloadUrl: `http://127.0.0.1:${server.port}/none`,
    cliSha256: sha256(good),
    searchPath: NO_PROGRAMS,
    cacheDir: newFolder(),
    ...overrides,
  };
}

const at = (path: string) => `http://127.0.0.1:${server.port}/${path}`;
const quiet = () => undefined;

/** What the cache holds beside nothing: no half-made binary may ever stand there. */
function cacheContents({ cacheDir }: CliSearch): string[] {
  const folder = join(cacheDir, 'temporal');
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('finding the temporal binary', () => {
  test('TEMPORAL_CLI_PATH comes first, and a wrong one is an error of its own', async () => {
    const path = program(join(newFolder(), 'mine'), 'true');
    expect(await findTemporalCli(search({ cliPath: path }), quiet)).toBe(path);
    const missing = search({ cliPath: '/no/such/file', cliDownloadUrl: at('good') });
    await expect(findTemporalCli(missing, quiet)).rejects.toThrow(
      'TEMPORAL_CLI_PATH is /no/such/file, which is not an executable file.',
    );
    expect(requests).toEqual([]);
  });

  test('PATH comes before the cache, and the cache before the download', async () => {
    const folder = newFolder();
    const onPath = program(join(folder, 'temporal'), 'true');
    const wanted = search({ cliDownloadUrl: at('good') });
    const cached = program(cachedCli(wanted.cacheDir), 'true');
    expect(await findTemporalCli({ ...wanted, searchPath: folder }, quiet)).toBe(onPath);
    expect(await findTemporalCli(wanted, quiet)).toBe(cached);
    expect(requests).toEqual([]);
  });

  test('the download is checked, unpacked, tried and kept for the next start', async () => {
    const wanted = search({ cliDownloadUrl: at('good') });
    const lines: string[] = [];
    const found = await findTemporalCli(wanted, (line) => lines.push(line));
    expect(found).toBe(cachedCli(wanted.cacheDir));
    expect(readdirSync(dirname(found))).toEqual(['temporal']);
    expect(lines).toEqual([`Downloading Temporal from ${at('good')} …`]);
    expect(await findTemporalCli(wanted, quiet)).toBe(found);
    expect(requests).toEqual(['/good']);
  });

  test('two starts at the same moment end with one binary', async () => {
    const wanted = search({ cliDownloadUrl: at('good') });
    const found = await Promise.all([1, 2, 3].map(() => findTemporalCli(wanted, quiet)));
    expect(new Set(found)).toEqual(new Set([cachedCli(wanted.cacheDir)]));
    expect(cacheContents(wanted)).toHaveLength(1);
  });

  test.each([
    ['none', 'the server answered 404'],
    ['half', 'failed: '],
    ['page', `its SHA-256 is ${sha256(Buffer.from('<html>Sign in to this network</html>'))}`],
  ])('a download that goes wrong (%s) leaves nothing', async (path, message) => {
    const wanted = search({ cliDownloadUrl: at(path) });
    await expect(findTemporalCli(wanted, quiet)).rejects.toThrow(message);
    expect(cacheContents(wanted)).toEqual([]);
  });

  test('a binary that does not run here is thrown away', async () => {
    const wanted = search({ cliDownloadUrl: at('broken'), cliSha256: sha256(broken) });
    await expect(findTemporalCli(wanted, quiet)).rejects.toThrow('does not run on this machine');
    expect(cacheContents(wanted)).toEqual([]);
  });

  test('what a killed start left is never used, and cleared away after an hour', async () => {
    const wanted = search({ cliDownloadUrl: at('good') });
    const half = join(wanted.cacheDir, 'temporal', '.new-killed', 'temporal');
    program(half, 'echo half-built');
    const anHourAgo = Date.now() / 1_000 - 3_700;
    utimesSync(dirname(half), anHourAgo, anHourAgo);
    const found = await findTemporalCli(wanted, quiet);
    expect(readFileSync(found, 'utf8')).toContain('1.5.1');
    expect(cacheContents(wanted)).toHaveLength(1);
  });

  test('Go builds the pinned version when the download fails', async () => {
    const folder = newFolder();
    const log = join(folder, 'arguments');
    program(
      join(folder, 'go'),
      `echo "$@" > ${log}\nprintf '#!/bin/sh\\n' > "$GOBIN/temporal"\nchmod 755 "$GOBIN/temporal"`,
    );
    const wanted = search({ searchPath: folder });
    expect(await findTemporalCli(wanted, quiet)).toBe(cachedCli(wanted.cacheDir));
    expect(readFileSync(log, 'utf8').trim()).toBe(
      'install github.com/temporalio/cli/cmd/temporal@v1.5.1',
    );
  });

  test('a build that fails half-way leaves nothing', async () => {
    const folder = newFolder();
    program(join(folder, 'go'), 'echo half > "$GOBIN/temporal"; echo "no disk" >&2; exit 1');
    const wanted = search({ searchPath: folder });
    await expect(findTemporalCli(wanted, quiet)).rejects.toThrow('no disk');
    expect(cacheContents(wanted)).toEqual([]);
  });

  test('when nothing works, one error names all four ways', async () => {
    const error = await findTemporalCli(search(), quiet).catch((thrown: Error) => thrown);
    const message = String(error);
    for (const way of [
      'TEMPORAL_CLI_PATH',
      'PATH holds no "temporal"',
      '/none failed',
      'install Go',
    ]) {
      expect(message).toContain(way);
    }
    expect(message).toContain('TEMPORAL_ADDRESS');
  });
});

describe('the archive of the pinned version', () => {
  const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

  test.each(platforms)('has its own address and SHA-256 for %s', (platform) => {
    const source = archiveSource({ cliDownloadUrl: undefined, cliSha256: undefined }, platform);
    expect(source?.url).toStartWith('https://github.com/temporalio/cli/releases/download/v1.5.1/');
    expect(source?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('from another place has to be the same bytes, unless told otherwise', () => {
    const mirror = { cliDownloadUrl: 'http://mirror/x.tar.gz', cliSha256: undefined };
    const official = archiveSource(
      { cliDownloadUrl: undefined, cliSha256: undefined },
      'linux-x64',
    );
    expect(archiveSource(mirror, 'linux-x64')).toEqual({
      url: 'http://mirror/x.tar.gz',
      sha256: official?.sha256 ?? '',
    });
    expect(archiveSource({ ...mirror, cliSha256: 'AB' }, 'linux-x64')?.sha256).toBe('ab');
  });

  test('does not exist for other platforms', () => {
    const none = { cliDownloadUrl: undefined, cliSha256: undefined };
    expect(archiveSource(none, 'freebsd-x64')).toBeUndefined();
  });
});
