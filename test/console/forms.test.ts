import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { APP_PAGES, ORGANIZATION_PAGES } from '../support/console/pages.ts';

const browser = await launchChromium();
let owner: Owner;
let path = '';

beforeAll(async () => {
  if (!browser) return;
  owner = await startOwner(browser);
  const body = { slug: 'one', displayName: 'One' };
  const app = (await owner.call('POST', '/v1/apps', body)) as { id: string };
  path = `/apps/${app.id}`;
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
});

const DIALOGS = [
  ...['flags?add=flag', 'experiments?add=experiment', 'connect?add=key', 'segments/new'],
  ...['funnels?edit=new', 'purchases'],
];
const OF_ORGANIZATION = [
  '/?add=app',
  '/keys?add=key',
  '/members?add=member',
  '/webhooks?add=webhook',
  '/messages?add=place',
];

const TOO_LONG = 'x'.repeat(140_000);
/** A file is chosen, a search asks, a day and a time have their own pickers. */
const TYPED = 'input:is([type="text"], [type="email"], [type="number"])';

async function faultOf(place: Locator): Promise<string | null> {
  const [label, type, min] = [
    await place.locator('label').first().textContent(),
    await place.locator('input').getAttribute('type'),
    await place.locator('input').getAttribute('min'),
  ];
  if (type === 'number' && min === null) return null;
  await place.locator('input').fill(type === 'number' ? '-9000000' : TOO_LONG);
  const bad = place.locator('small.bad');
  await bad.waitFor({ timeout: 5_000 }).catch(() => undefined);
  const told = (await bad.allTextContents()).join('');
  const isSentence = told.startsWith(label ?? '?') && told.endsWith('.');
  return isSentence && !/[\\^$]|surrogate/.test(told) ? null : `${label}: ${told || 'nothing'}`;
}

describe.skipIf(!browser)('forms', () => {
  test('tell by the label what is wrong while one types, in every field', async () => {
    const { page, open } = owner;
    const faults: string[] = [];
    const seen = new Set<string>();
    const ofApp = [...APP_PAGES, ...DIALOGS].map((one) => `${path}/${one}`);
    for (const address of [...ORGANIZATION_PAGES, ...OF_ORGANIZATION, ...ofApp]) {
      await open(address);
      await page.evaluate(
        "for (const folded of document.querySelectorAll('details')) folded.open = true",
      );
      const places = page.locator('.field').filter({ has: page.locator(TYPED) });
      for (const place of await places.filter({ visible: true }).all()) {
        seen.add(`${address} ${await place.locator('label').first().textContent()}`);
        const fault = await faultOf(place);
        if (fault) faults.push(`${address}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    expect(seen.size).toBeGreaterThan(25);
  });
});
