import { describe, expect, test } from 'bun:test';
import { CONSOLE_PAGES } from '../../../src/shared/console-pages.ts';
import { allBytes, firstBytes, firstText } from '../../support/console/page-scripts.ts';
import { startListening } from '../../support/listening.ts';

const FIRST_KB = 64;
/** 228 KB for the 30 pages that the limit was set for, and 6 KB for each page since. */
const ALL_KB = 228 + 6 * (CONSOLE_PAGES.length - 30);
const { url, service } = await startListening();
const HTML = { headers: { accept: 'text/html' } };
const get = (path: string, init?: BunFetchRequestInit) => fetch(`${url}${path}`, init);

describe('the console is served', () => {
  test('under its own addresses, as a page that runs only what comes from here', async () => {
    for (const path of ['/', '/sales', '/apps/app_1/funnels']) {
      const { status, headers } = await get(path, HTML);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      const policy = headers.get('content-security-policy');
      expect(policy).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';",
      );
      expect(policy).not.toContain('unsafe');
    }
  });

  test('with assets that are cached for good, and the chunks of the addressed page named in it', async () => {
    const chunksAt = async (path: string) => {
      const text = await (await get(path, HTML)).text();
      return [...text.matchAll(/\/console\/[\w.-]+/g)].map(([name]) => name);
    };
    const names = await chunksAt('/');
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const { status, headers } = await get(name, {
        headers: { 'accept-encoding': 'gzip' },
        decompress: false,
      });
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-encoding')).toBe('gzip');
    }
    expect(await chunksAt('/apps/app_1/logs')).not.toEqual(await chunksAt('/apps/app_1/trends'));
    expect((await get('/console/none.js')).status).toBe(404);
  });

  test(`with at most ${FIRST_KB} KB of script for a first page, and ${ALL_KB} KB in all`, () => {
    const tooLarge = CONSOLE_PAGES.flatMap(({ name, path }) => {
      const kb = firstBytes(path) / 1024;
      return kb > FIRST_KB ? [`${name}: ${kb.toFixed(1)} KB`] : [];
    });
    expect(tooLarge).toEqual([]);
    expect(allBytes()).toBeLessThan(ALL_KB * 1024);
  });

  test('with the palette and the calendar loaded by use only', () => {
    const brings = CONSOLE_PAGES.filter(({ path }) =>
      /palette-list|days-month/.test(firstText(path)),
    );
    expect(brings.map(({ name }) => name)).toEqual([]);
  });

  test('to people only: who asks for JSON learns that there is no such route', async () => {
    const answer = await service.call('/', { headers: { accept: 'application/json' } });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  });

  test('unless CONSOLE=off', async () => {
    const off = await startListening({ CONSOLE: 'off' });
    expect((await fetch(off.url, HTML)).status).toBe(404);
  });
});

describe('the documentation is served', () => {
  test('under /help, with links that stay there, and without any script', async () => {
    const answer = await get('/help', HTML);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).not.toContain('script-src');
    const seen = new Set(['/help']);
    const queue = ['/help'];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const page = await get(path, HTML);
      expect([path, page.status]).toEqual([path, 200]);
      const text = await page.text();
      for (const [, link = '', anchor] of text.matchAll(/ href="(\/help[^"#]*)(?:#([^"]*))?"/g)) {
        if (!seen.has(link)) queue.push(link);
        seen.add(link);
        if (anchor === undefined) continue;
        expect(await (await get(link, HTML)).text()).toContain(`id="${anchor}"`);
      }
    }
    expect(seen.size).toBeGreaterThan(30);
  });

  test('and nothing that is not a page of it', async () => {
    for (const path of ['/help/none', '/help/..%2fpackage', '/help/../README', '/help/adr/../x']) {
      expect((await get(path, HTML)).status).toBe(404);
    }
  });
});
