import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/clients/chromium.ts';
import { type IngestServer, startIngestServer } from '../../support/clients/ingest-server.ts';
import { open, type Site, startSite, withProfile } from '../../support/clients/site.ts';

const browser: Browser | null = await launchChromium(['shop.example']);
let site: Site;
let server: IngestServer;

beforeAll(async () => {
  site = await startSite();
});
beforeEach(async () => {
  server?.stop();
  server = await startIngestServer();
});
afterAll(async () => {
  server?.stop();
  site?.stop();
  await browser?.close();
});

/** Tests in the browser; none where there is none, which `launchChromium` has said. */
function inBrowser(name: string, work: (browser: Browser) => Promise<unknown>): void {
  test.skipIf(!browser)(name, async () => {
    if (browser) await work(browser);
  });
}

const once = (ids: string[]) => [...new Set(ids)].toSorted();

describe('the web client in Chromium', () => {
  inBrowser('sends across origins, after one preflight', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({ url: server.url, flushIntervalMs: 250 }));
      await page.evaluate(() => window.client.track('app_opened', { emoji: '👩‍👩‍👧', n: 1 }));
      await server.until(() => server.received.length === 1);
      await page.evaluate(() => window.client.screen('Home'));
      await server.until(() => server.received.length === 2);
      expect(server.preflights()).toBe(1);
      expect(server.received[0]?.batch.events[0]?.props).toEqual({ emoji: '👩‍👩‍👧', n: 1 });
      expect(server.received[0]?.batch.context).toMatchObject({ platform: 'web', locale: 'en-US' });
      expect(server.faults).toEqual([]);
      expect(await page.evaluate(() => window.faults)).toEqual([]);
    }),
  );

  inBrowser('keeps what is tracked offline and sends it when the network is back', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({ url: server.url, flushIntervalMs: 250 }));
      await context.setOffline(true);
      await page.evaluate(() => window.client.track('app_opened'));
      await page.waitForFunction(() => window.faults.includes('not_delivered'));
      expect(server.received).toEqual([]);
      await context.setOffline(false);
      await server.until(() => server.received.length === 1);
      expect(server.names()).toEqual(['app_opened']);
    }),
  );

  inBrowser('sends when the page is left, long before the interval', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({ url: server.url, flushIntervalMs: 600_000 }));
      await page.evaluate(() => window.client.track('left'));
      await page.goto(site.page({}, '/empty'));
      await server.until(() => server.names().includes('left'));
      const other = await open(context, site.page({ url: server.url, flushIntervalMs: 600_000 }));
      await other.evaluate(() => window.client.track('closed'));
      await other.close({ runBeforeUnload: true });
      await server.until(() => server.names().includes('closed'));
      expect(server.faults).toEqual([]);
    }),
  );

  inBrowser('sends when the page is hidden', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({ url: server.url, flushIntervalMs: 600_000 }));
      await page.evaluate(() => {
        window.client.track('hidden');
        Object.defineProperty(window.document, 'visibilityState', { value: 'hidden' });
        window.document.dispatchEvent(new Event('visibilitychange'));
      });
      await server.until(() => server.names().includes('hidden'));
    }),
  );

  inBrowser('sends every event of two tabs once', (chromium) =>
    withProfile(chromium, async (context) => {
      const url = site.page({ url: server.url, flushIntervalMs: 250 });
      const tabs = [await open(context, url), await open(context, url)];
      await Promise.all(
        tabs.map((tab) =>
          tab.evaluate(async () => {
            for (let n = 0; n < 50; n += 1) {
              window.client.track('app_opened');
              await new Promise((resolve) => setTimeout(resolve, 10));
            }
            await window.client.flush();
          }),
        ),
      );
      await server.until(() => server.storedIds().length >= 100);
      expect(server.storedIds()).toHaveLength(100);
      expect(once(server.storedIds())).toHaveLength(100);
      const people = server.received.flatMap(({ batch }) => batch.events.map((e) => e.anonymousId));
      expect(once(people)).toHaveLength(1);
    }),
  );

  inBrowser('sends again, with the same ids, what a reload cut off in mid-flush', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({ url: server.url, flushIntervalMs: 250 }));
      server.answers.push('hold');
      await page.evaluate(() => {
        for (let n = 0; n < 10; n += 1) window.client.track('app_opened');
      });
      await server.until(() => server.received.length === 1);
      await page.reload();
      await server.until(() => server.storedIds().length >= 20);
      expect(once(server.storedIds())).toHaveLength(10);
      expect(server.received[1]?.ids).toEqual(server.received[0]?.ids ?? []);
    }),
  );

  inBrowser('sends what a crashed tab left behind', (chromium) =>
    withProfile(chromium, async (context) => {
      const url = site.page({ url: server.url, flushIntervalMs: 1_000 });
      const page = await open(context, url.replace('1000', '600000'));
      await page.evaluate(() => window.client.track('before_the_crash'));
      const crashed = page.waitForEvent('crash');
      await page.goto('chrome://crash').catch(() => {});
      await crashed;
      await page.close();
      expect(server.received).toEqual([]);
      await context.addInitScript(() => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + 6 * 60_000;
      });
      await open(context, url);
      await server.until(() => server.names().includes('before_the_crash'));
    }),
  );

  inBrowser('works where storage is blocked', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(
        context,
        site.page({ url: server.url, flushIntervalMs: 250 }, '/framed'),
      );
      const frame = page.frames().find((each) => each !== page.mainFrame());
      await frame?.waitForFunction(() => window.client !== undefined);
      expect(
        await frame?.evaluate(() => {
          try {
            return String(window.localStorage);
          } catch (error) {
            return (error as Error).name;
          }
        }),
      ).toBe('SecurityError');
      await frame?.evaluate(() => window.client.track('app_opened'));
      await server.until(() => server.received.length === 1);
      expect(await frame?.evaluate(() => window.faults)).toEqual(['storage_unavailable']);
    }),
  );

  inBrowser('works on plain http, without crypto.randomUUID and locks', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(
        context,
        site.page(
          { url: server.url.replace('127.0.0.1', 'shop.example'), flushIntervalMs: 250 },
          '/',
          'shop.example',
        ),
      );
      expect(
        await page.evaluate(() => [typeof crypto.randomUUID, typeof window.navigator.locks]),
      ).toEqual(['undefined', 'undefined']);
      await page.evaluate(() => {
        window.client.track('first');
        window.client.track('second');
      });
      await server.until(() => server.received.length === 1);
      expect(once(server.storedIds())).toHaveLength(2);
      await page.reload();
      await page.evaluate(() => window.client.track('third'));
      await server.until(() => server.names().includes('third'));
      const people = server.received.flatMap(({ batch }) => batch.events.map((e) => e.anonymousId));
      expect(once(people)).toHaveLength(1);
    }),
  );

  inBrowser('survives a clock that jumps a day back', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({ url: server.url, flushIntervalMs: 250 }));
      await page.evaluate(() => {
        window.client.track('first');
        const now = Date.now.bind(Date);
        Date.now = () => now() - 86_400_000;
        window.client.track('second');
      });
      await server.until(() => server.names().includes('second'));
      const sessions = server.received.flatMap(({ batch }) =>
        batch.events.map((e) => e.sessionId ?? ''),
      );
      expect(once(sessions)).toHaveLength(1);
    }),
  );

  inBrowser('loses nothing when answers are lost, late, refused or no HTTP', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({ url: server.url, flushIntervalMs: 250 }));
      server.answers.push('cut', 'lost', 'garbage', 503, 503);
      await page.evaluate(async () => {
        for (let n = 0; n < 40; n += 1) window.client.track('app_opened');
        for (let n = 0; n < 8; n += 1) await window.client.flush();
      });
      await server.until(() => server.received.some(({ answer }) => answer === 202));
      await server.until(() => once(server.storedIds()).length === 40);
      expect(server.faults).toEqual([]);
    }),
  );

  inBrowser('runs the typed client too', (chromium) =>
    withProfile(chromium, async (context) => {
      const page = await open(context, site.page({}, '/empty'));
      const accepted = await page.evaluate(async (url) => {
        const { createApi } = await import(String('/api.js'));
        const api = createApi({ url, serviceKey: 'svp_test' });
        const event = { id: crypto.randomUUID(), name: 'app_opened', anonymousId: 'anon-0001' };
        return api.sendEvents({ body: { events: [event] } });
      }, server.url);
      expect(accepted).toEqual({ accepted: 1 });
      expect(server.names()).toEqual(['app_opened']);
    }),
  );
});
