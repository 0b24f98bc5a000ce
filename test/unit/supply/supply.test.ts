import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { checkAdvisories } from '../../../scripts/supply/advisories.ts';
import { pinImages, placeOf } from '../../../scripts/supply/images.ts';
import {
  forbiddenLicences,
  installedPackages,
  isAllowed,
  licencePage,
} from '../../../scripts/supply/licences.ts';
import { describeBehind, readBehind } from '../../../scripts/supply/outdated.ts';
import { ROOT } from '../../support/sources.ts';

const DIGEST = `sha256:${'a1'.repeat(32)}`;

/** A registry of packages and of images; images only for who has its token. */
const answers = { status: 200, advisories: {} as object };
const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, origin, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    if (pathname.includes('/advisories/')) {
      return Response.json(answers.advisories, { status: answers.status });
    }
    if (pathname === '/token') return Response.json({ token: 'given' });
    if (request.headers.get('authorization') !== 'Bearer given') {
      const challenge = `Bearer realm="${origin}/token",service="here",scope="repository:x:pull"`;
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
    }
    if (pathname.includes('gone')) return new Response(null, { status: 404 });
    return new Response(null, { headers: { 'docker-content-digest': DIGEST } });
  },
});
const registry = `http://127.0.0.1:${server.port}`;
const said: string[] = [];
const log = spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
afterAll(() => {
  log.mockRestore();
  return server.stop(true);
});

async function advisories(given: object, status = 200) {
  Object.assign(answers, { advisories: given, status });
  said.length = 0;
  const code = await checkAdvisories(registry);
  return { code, said: said.join('\n') };
}
const advisory = (severity: string) => ({
  id: 1,
  url: 'https://advisories.example/1',
  title: 'Leaks',
  severity,
  vulnerable_versions: '<999',
});

describe('advisories of the registry', () => {
  test('fail the check from high on, and are printed below', async () => {
    expect(await advisories({ pino: [advisory('high')] })).toEqual({
      code: 1,
      said: 'high: pino: Leaks https://advisories.example/1\n1 advisories, 1 of them serious',
    });
    expect(await advisories({ pino: [advisory('moderate')] })).toMatchObject({ code: 0 });
    expect(await advisories({})).toMatchObject({ code: 0 });
  });

  test('that cannot be had fail nothing, and that is said', async () => {
    const { code, said: line } = await advisories({}, 405);
    expect(code).toBe(0);
    expect(line).toStartWith('not run: advisories (the registry does not answer');
  });
});

describe('dependencies that are behind', () => {
  const table = `bun outdated v1.4.5
| Package          | Current | Update | Latest |
|------------------|---------|--------|--------|
| jose             | 6.2.17  | 6.2.17 | 6.2.18 |
|------------------|---------|--------|--------|
| @x/y-z (dev)     | 1.0.0   | 1.0.0  | 2.0.0  |`;
  const behind = readBehind(table);

  test('are read from the table of bun outdated', () => {
    expect(behind).toEqual([
      { name: 'jose', current: '6.2.17', latest: '6.2.18' },
      { name: '@x/y-z', current: '1.0.0', latest: '2.0.0' },
    ]);
  });

  test('need a reason each, are shown with their advisories, and lose a reason that is over', () => {
    const why = { jose: 'It is tried.', '@x/y-z': 'It has no types.' };
    const advisories = [{ ...advisory('low'), id: '1', name: 'jose' }];
    expect(describeBehind(behind, why, advisories)).toEqual({
      isWrong: false,
      lines: [
        'jose 6.2.17, newest 6.2.18: It is tried.',
        '  low: Leaks https://advisories.example/1',
        '@x/y-z 1.0.0, newest 2.0.0: It has no types.',
        '2 dependencies are behind, 1 advisories',
      ],
    });
    expect(describeBehind(behind, { jose: 'It is tried.' }, []).isWrong).toBe(true);
    expect(describeBehind(behind, { ...why, gone: 'Old.' }, [])).toMatchObject({
      isWrong: true,
      lines: expect.arrayContaining(['gone is at its newest: remove its reason']),
    });
  });
});

describe('licences of dependencies', () => {
  test('are all allowed, and docs/licences.md lists them', async () => {
    const packages = await installedPackages(
      join(ROOT, 'node_modules'),
      await Bun.file(join(ROOT, 'bun.lock')).text(),
    );
    expect(forbiddenLicences(packages)).toEqual([]);
    // `bun run supply licences` writes it anew.
    expect(await Bun.file(join(ROOT, 'docs/licences.md')).text()).toBe(licencePage(packages));
  });

  test('are expressions: one of OR, all of AND', () => {
    expect(['MIT', '(MIT OR GPL-3.0)', '(MIT AND Zlib)'].map(isAllowed)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['GPL-3.0', '(MIT AND GPL-3.0)', 'unknown'].map(isAllowed)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('images', () => {
  test('get the digest behind their tag, again and again', async () => {
    const text = 'FROM oven/bun:1-slim AS a\nFROM a\n    image: postgres:18.4\n    image: own\n';
    const pinned = `FROM oven/bun:1-slim@${DIGEST} AS a\nFROM a\n    image: postgres:18.4@${DIGEST}\n    image: own\n`;
    expect(await pinImages(text, registry)).toBe(pinned);
    expect(await pinImages(pinned, registry)).toBe(pinned);
    expect(asked).toContain('HEAD /v2/library/postgres/manifests/18.4');
    expect(asked).toContain('GET /token?service=here&scope=repository%3Ax%3Apull');
  });

  test('that the registry does not know change nothing', async () => {
    expect(pinImages('FROM gone/away:1', registry)).rejects.toThrow('answers 404');
  });

  test('are of Docker Hub unless they name a registry', () => {
    expect(placeOf('ghcr.io/a/b')).toEqual({ registry: 'https://ghcr.io', repository: 'a/b' });
    expect(placeOf('a/b').repository).toBe('a/b');
  });
});
