import { afterAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/clients/chromium.ts';
import { visit } from '../support/console/visit.ts';
import { startListening } from '../support/listening.ts';
import { startTestQueries } from '../support/queries.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { createTestApp, createTestOrg } from '../support/service.ts';
import { troubleIds } from '../support/trouble-ids.ts';

const COUNT = isFullRun ? 500 : 12;
/** Erasures after which everybody is looked at; in between only whom it named. */
const EVERYBODY_EVERY = isFullRun ? 50 : 1;
const EVENTS_A_BATCH = 50;
const A_TEST = isFullRun ? 100 : COUNT;
const SEED = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9));
const ids = troubleIds(COUNT, randomFrom(SEED));
const browser = await launchChromium();
afterAll(() => browser?.close());

/** What the page saves is of one person alone. */
async function exported(page: Page): Promise<unknown> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const { personId, events } = await Bun.file(await (await saving).path()).json();
  return { personId, events: events.map(({ userId, props }: any) => [userId, props.n]) };
}

const PRODUCT = 'gift';

/** The first product is typed; from then on it is offered. */
async function grant(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Grant a product' }).click();
  const dialog = page.getByRole('dialog');
  const product = dialog.getByLabel('Product', { exact: true });
  await product.waitFor();
  if ((await product.inputValue()) !== PRODUCT) {
    await dialog.getByLabel('Product id').fill(PRODUCT);
    await dialog.getByLabel('Grant it all the same').check();
  }
  await dialog.getByRole('button', { name: 'Grant a product' }).click();
  await page.getByRole('listitem').filter({ hasText: PRODUCT }).first().waitFor();
}

/** As somebody types it who reads the page. */
const asked = (label: string) => /^Type "(.*)" to confirm/s.exec(label)?.[1] ?? '';

type Setting = Awaited<ReturnType<typeof begin>>;

/** An app to which every id has sent an event of its own, and its owner in front of the console. */
async function begin(chromium: Browser) {
  const { service, url } = await startListening();
  await startTestQueries(service.deps);
  const org = await createTestOrg(service);
  const { appId, device } = await createTestApp(service, org.orgId);
  const visitor = await visit(chromium, url);
  const signedIn = await visitor.page.request.post(`${url}/v1/auth/sign-in/email`, {
    data: { email: org.email, password: org.password },
    headers: { origin: url },
  });
  expect(signedIn.status()).toBe(200);
  const events = ids.map((userId, n) => ({
    ...{ name: 'app_opened', anonymousId: `device-${n}-0`, userId, props: { n } },
  }));
  for (let from = 0; from < events.length; from += EVENTS_A_BATCH) {
    const body = { events: events.slice(from, from + EVENTS_A_BATCH) };
    expect((await service.call('/v1/events', { body, headers: device })).status).toBe(202);
  }
  return {
    ...visitor,
    url,
    appId,
    call: (path: string) => service.call(path, { headers: org.key }),
  };
}

/** By the link of the list, as it is drawn there. */
async function openPerson({ page, go, url, appId }: Setting, id: string): Promise<void> {
  await go(`/apps/${appId}/people?${new URLSearchParams({ search: id })}`);
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
  const links = page.locator('main a[href*="/people/by-id?"]');
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  const index = hrefs.findIndex((href) => new URL(href, url).searchParams.get('id') === id);
  if (index === -1) await go(`/apps/${appId}/people/by-id?${new URLSearchParams({ id })}`);
  else await links.nth(index).click();
  await page.getByRole('button', { name: 'Export' }).waitFor();
}

async function erase({ page }: Setting): Promise<void> {
  await page.getByRole('button', { name: 'Erase', exact: false }).first().click();
  const dialog = page.getByRole('dialog');
  const label = await dialog.locator('label').textContent();
  await dialog.getByRole('textbox').fill(asked(label ?? ''));
  await dialog.getByRole('button', { name: 'Erase', exact: false }).click();
  await page.getByText('Erased. What comes for these ids later').waitFor();
}

async function grantedTo({ call, appId }: Setting, userId: string): Promise<unknown> {
  const query = new URLSearchParams({ userId });
  const { body } = await call(`/v1/apps/${appId}/purchases/grants?${query}`);
  return body.grants.map((one: any) => [one.userId, one.productId]);
}

async function shownOf({ call, appId }: Setting, all: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  for (const one of all) {
    const { status } = await call(
      `/v1/apps/${appId}/person?${new URLSearchParams({ personId: one })}`,
    );
    expect([200, 404]).toContain(status);
    if (status === 200) shown.push(one);
  }
  return shown;
}

const setting = browser && (await begin(browser));
const left = new Set(ids);

describe.skipIf(!setting)(`of ${COUNT} ids (seed ${SEED}) the console`, () => {
  // A test has twenty minutes, which all of them would take on a busy machine.
  test.each(Array.from({ length: COUNT / A_TEST }, (_, part) => part * A_TEST))(
    'exports, entitles and erases whom it names, from the one at %d on',
    async (from) => {
      if (!setting) return;
      for (const [offset, id] of ids.slice(from, from + A_TEST).entries()) {
        const n = from + offset;
        await openPerson(setting, id);
        expect(await exported(setting.page)).toEqual({ personId: id, events: [[id, n]] });
        await grant(setting.page);
        expect(await grantedTo(setting, id)).toEqual([[id, PRODUCT]]);
        await erase(setting);
        left.delete(id);
        expect(await grantedTo(setting, id)).toEqual([]);
        const isEverybody = n % EVERYBODY_EVERY === 0 || n === ids.length - 1;
        const looked = isEverybody ? ids : ids.slice(n, n + 2);
        const shown = await shownOf(setting, looked);
        expect([id, shown]).toEqual([id, looked.filter((one) => left.has(one))]);
      }
    },
  );

  test('leaves the app as it was', async () => {
    if (!setting) return;
    expect((await setting.call(`/v1/apps/${setting.appId}`)).status).toBe(200);
    expect(setting.faults).toEqual([]);
  });
});
