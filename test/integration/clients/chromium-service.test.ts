import { afterAll, expect, test } from 'bun:test';
import { launchChromium } from '../../support/clients/chromium.ts';
import { startServed } from '../../support/clients/served.ts';
import { open, startSite, withProfile } from '../../support/clients/site.ts';
import { openStored } from '../../support/clients/stored.ts';
import { until } from '../../support/until.ts';

const browser = await launchChromium();
const served = await startServed();
const stored = await openStored(served);
const site = await startSite();
afterAll(async () => {
  await stored.stop();
  site.stop();
  await browser?.close();
});

test.skipIf(!browser)(
  'what two tabs track and a closed page leaves is in the service, once',
  async () => {
    if (!browser) return;
    const options = {
      url: served.url,
      key: served.app.serviceKey,
      flushIntervalMs: 250,
      appVersion: '1.2.3',
    };
    const ids = await withProfile(browser, async (context) => {
      const tabs = [
        await open(context, site.page(options)),
        await open(context, site.page(options)),
      ];
      const person = await Promise.all(
        tabs.map((tab) =>
          tab.evaluate(async () => {
            window.client.identify('user-1');
            for (let n = 0; n < 30; n += 1)
              window.client.track('paywall_viewed', { n, emoji: '👩‍👩‍👧' });
            await window.client.flush();
            window.client.track('app_opened');
            return window.faults;
          }),
        ),
      );
      for (const tab of tabs) await tab.goto(site.page({}, '/empty'));
      const last = await open(context, site.page(options));
      await last.evaluate(() => window.client.flush());
      return person;
    });
    expect(ids).toEqual([[], []]);
    const rows = await stored.rows();
    expect(rows.filter(({ name }) => name === 'paywall_viewed')).toHaveLength(60);
    expect(rows.filter(({ name }) => name === 'app_opened')).toHaveLength(2);
    expect(new Set(rows.map(({ personId }) => personId))).toEqual(new Set(['user-1']));
    expect(new Set(rows.map(({ appVersion, platform }) => `${platform} ${appVersion}`))).toEqual(
      new Set(['web 1.2.3']),
    );
  },
);

test.skipIf(!browser)(
  'what was offline, hidden or cut off by a reload is in the service, once',
  async () => {
    if (!browser) return;
    const options = { url: served.url, key: served.app.serviceKey, flushIntervalMs: 250 };
    await withProfile(browser, async (context) => {
      const page = await open(context, site.page(options));
      await context.setOffline(true);
      await page.evaluate(() => window.client.track('offline'));
      await page.waitForFunction(() => window.faults.includes('not_delivered'));
      const back = page.waitForResponse((response) => response.url().endsWith('/v1/events'));
      await context.setOffline(false);
      expect((await back).status()).toBe(202);

      const hidden = page.waitForResponse((response) => response.url().endsWith('/v1/events'));
      await page.evaluate(() => {
        window.client.track('hidden');
        Object.defineProperty(window.document, 'visibilityState', { value: 'hidden' });
        window.document.dispatchEvent(new Event('visibilitychange'));
      });
      expect((await hidden).status()).toBe(202);

      // The service has the batch, and the page is reloaded before it hears so.
      const taken = Promise.withResolvers<void>();
      await page.route('**/v1/events', async (route) => {
        await route.fetch();
        taken.resolve();
      });
      await page.evaluate(() => window.client.track('reloaded'));
      await taken.promise;
      await page.unroute('**/v1/events');
      // Leaving may send it again already, so only what is tracked afterwards must be heard of.
      await page.reload();
      await page.evaluate(() => window.client.track('after'));
      await until('what was tracked afterwards', async () =>
        (await stored.rows()).some(({ name }) => name === 'after'),
      );
    });
    const names = (await stored.rows()).map(({ name }) => name);
    for (const name of ['offline', 'hidden', 'reloaded']) {
      expect(
        names.filter((one) => one === name),
        name,
      ).toEqual([name]);
    }
  },
);
