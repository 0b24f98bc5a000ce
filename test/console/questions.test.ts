import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/clients/chromium.ts';
import { makeAskedApp } from '../support/console/asked-app.ts';
import { askerAt, OWN_VALUE, saidBy } from '../support/console/asker.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';
import { until } from '../support/until.ts';

/** "A handful": chips that are chosen, buttons that are pressed. */
const MOST_ACTS = 9;
const WIDE = { width: 1440, height: 900 };
const browser = await launchChromium();
let owner: Owner;
let path = '';
let colleague: Page;

beforeAll(async () => {
  if (!browser) return;
  owner = await startOwner(browser);
  path = await makeAskedApp(owner);
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  await context.addCookies(await owner.context.cookies());
  colleague = await context.newPage();
  await colleague.setViewportSize(WIDE);
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
});

const begin = async () => {
  const { page, open } = owner;
  await page.setViewportSize(WIDE);
  await open(`${path}/questions`);
  await page.waitForURL('**/trends');
  return askerAt(page);
};

/** The answer says it, few acts led there, and who opens the address sees the same. */
async function answered(asker: ReturnType<typeof askerAt>, ...said: (string | RegExp)[]) {
  const { page } = owner;
  await asker.settled();
  for (const text of said)
    await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
  expect(asker.acts()).toBeLessThanOrEqual(MOST_ACTS);
  await colleague.goto(page.url());
  await until('both pages say the same', async (saw) => {
    const [mine, theirs] = [await saidBy(page), await saidBy(colleague)];
    saw({ mine, theirs });
    return Bun.deepEquals(mine, theirs);
  });
  expect(page.url()).toContain('?');
}

const COMPLETED = ['paywall_viewed', 'purchase_completed'];

describe.skipIf(!browser)('a product manager asks', () => {
  test('which searches had no result, most frequent first, on which platform', async () => {
    const asker = await begin();
    await asker.menu(/^Measure: /, 'Events');
    await asker.event(1, 'searched');
    await asker.condition(1, 'results', 'is', '0');
    await asker.breakdown('term');
    await asker.breakdown('Platform');
    await answered(asker, 'chairs · iOS', 'chairs · Android');
    expect(await faultsOnEveryScreen(owner.page)).toEqual([]);
  });

  test('how long it takes to the first saved item, as a distribution, against the days before', async () => {
    const asker = await begin();
    await asker.event(1, 'app_opened');
    await asker.kind('Funnel');
    await asker.event(1, 'item_saved');
    await asker.menu(/^Compare/, /days before/);
    await answered(asker, 'Time from the first to the last step', /^Against /);
    expect(await faultsOnEveryScreen(owner.page)).toEqual([]);
  });

  test('who of those that saw the paywall twice and did not buy came back, in two countries', async () => {
    await owner.call('POST', `/v1${path}/segments`, {
      name: 'Paywall twice, not bought',
      rule: {
        all: [
          { did: { events: ['paywall_viewed'] }, atLeast: 2, withinDays: 60 },
          { didNot: { events: ['purchase_completed'] } },
        ],
      },
    });
    const asker = await begin();
    await asker.kind('Retention');
    await asker.condition(0, 'in segment', 'in segment', 'Paywall twice, not bought');
    await asker.condition(0, 'Country', 'is', 'Germany');
    await asker.press('Hold others against them');
    await asker.condition(1, 'in segment', 'in segment', 'Paywall twice, not bought');
    await asker.condition(1, 'Country', 'is', 'United States');
    await answered(
      asker,
      /country is Germany/,
      /country is United States/,
      'How many are still there',
    );
    expect(await faultsOnEveryScreen(owner.page)).toEqual([]);
  });

  test('whether sessions got shorter with version 2.10, on Android only', async () => {
    const asker = await begin();
    await asker.menu(/^Measure: /, 'Session length');
    await asker.condition(1, 'Platform', 'is', 'Android');
    await asker.press('Add a series');
    await asker.condition(1, 'Version', '≥', '2.10.0');
    await asker.condition(2, 'Version', '<', '2.10.0');
    await answered(asker, 'platform is Android and version ≥ 2.10.0', /version < 2.10.0/);
  });

  test('the median price by country and plan, by week', async () => {
    const asker = await begin();
    await owner.page.getByText('Week', { exact: true }).click();
    await asker.menu(/^Measure: /, 'A number');
    await asker.event(1, 'purchase_completed');
    await asker.choose(owner.page.getByRole('button', { name: /^Property: / }), 'price');
    await asker.condition(1, 'plan', 'is', 'monthly');
    await asker.press('Add a series');
    await asker.condition(1, 'Country', 'is', 'Germany');
    await asker.condition(2, 'Country', 'is', 'United States');
    await answered(asker, 'Median of price', /country is United States/);
  });

  test('the conversion without those who restored a purchase', async () => {
    const asker = await begin();
    await asker.event(1, 'onboarding_started');
    await asker.kind('Funnel');
    await asker.event(1, 'purchase_completed');
    await asker.press('Add an exclusion between two steps');
    await asker.event(2, 'purchase_restored');
    await owner.page.getByText('48 people, ').first().waitFor();
    await answered(asker, 'onboarding_started', 'Conversion, first step to last');
  });

  test('which features are used by people who are still here, and by those who are not', async () => {
    await owner.call('POST', `/v1${path}/segments`, {
      name: 'Came back',
      rule: { all: [{ did: { events: ['app_opened'] }, atLeast: 2 }] },
    });
    const asker = await begin();
    await asker.event(1, 'feature_notes');
    await asker.choose(
      asker.row(1).getByRole('button', { name: 'or another event' }),
      'feature_timer',
    );
    await asker.condition(1, 'in segment', 'in segment', 'Came back');
    await asker.press('Add a series');
    await asker.choose(
      asker.row(2).getByRole('button', { name: /^Condition: person/ }),
      'not in segment',
      'Came back',
    );
    await answered(asker, / in segment “Came back”/, /not in segment “Came back”/);
  });

  test('the retention of people of version 2.10 in Germany against everybody else', async () => {
    const asker = await begin();
    await asker.kind('Retention');
    await asker.condition(0, 'Version', '≥', '2.10.0');
    await asker.condition(0, 'Country', 'is', 'Germany');
    await asker.press('Hold others against them');
    await asker.condition(1, 'Country', 'is not', 'Germany');
    await asker.condition(1, 'Version', '<', '2.10.0');
    await owner.page.getByRole('button', { name: /^and/ }).last().click();
    await answered(asker, /country is not Germany or version < 2.10.0/);
  });

  test('what people do directly before they delete their account', async () => {
    const asker = await begin();
    await asker.event(1, 'account_deleted');
    await asker.kind('Paths');
    await asker.menu(/^Direction: /, 'directly before');
    await answered(asker, '1 before', 'settings_opened');
    expect(await faultsOnEveryScreen(owner.page)).toEqual([]);
  });
});

describe.skipIf(!browser)('a question', () => {
  test('says at its chip what is wrong', async () => {
    const asker = await begin();
    await asker.condition(1, 'Version', '≥', OWN_VALUE);
    const alert = owner.page.getByRole('alert');
    await alert.getByText('must be a version such as 2.10').waitFor();
    expect(await faultsOnEveryScreen(owner.page)).toEqual([]);
  });

  test('has the people behind a figure in its address, until something else is asked', async () => {
    const asker = await begin();
    await asker.event(1, 'app_opened');
    await asker.kind('Funnel');
    await asker.event(1, 'paywall_viewed');
    await asker.settled();
    const { page } = owner;
    const figures = page.locator('main .card:not(.ask)');
    await figures
      .getByRole('button', { name: /paywall.viewed/i })
      .first()
      .click();
    const list = (at: Page) => at.getByRole('table', { name: /^Who / });
    await page.waitForURL(/[?&]step=/);
    await list(page).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize(WIDE);
    const mine = await list(page).getByRole('row').allInnerTexts();
    expect(mine.length).toBeGreaterThan(2);
    await colleague.goto(page.url());
    await list(colleague).waitFor();
    expect(await list(colleague).getByRole('row').allInnerTexts()).toEqual(mine);
    await asker.event(1, 'purchase_completed');
    await page.waitForURL(({ search }) => !search.includes('step='));
  });

  test('is saved under a name, found by search, pinned to Today and deleted', async () => {
    const { page, open } = owner;
    const asker = await begin();
    await asker.event(1, 'searched');
    await asker.press('Save');
    const panel = page.locator('[popover]:popover-open');
    await panel.getByLabel('Name').fill('Searches');
    await panel.getByLabel('Show it on Today too').check();
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    const saved = page.getByRole('table', { name: 'Saved questions' });
    await saved.getByRole('row', { name: /Searches People: searched/ }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize(WIDE);
    await open(`${path}/today`);
    await page.getByRole('heading', { name: 'Searches' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Searches');
    await page
      .getByRole('option', { name: /Searches.*Asked/ })
      .first()
      .click();
    await page.waitForURL(/trends\?.*event=searched/);
    await page.getByRole('button', { name: 'Event: searched' }).waitFor();
    await page.getByRole('button', { name: '“Searches”: acts' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await saved.waitFor({ state: 'detached' });
  });

  test('takes what addresses of each page said, and goes on from there in place', async () => {
    const { page, open } = owner;
    await page.setViewportSize(WIDE);
    for (const [address, chip, at] of [
      ['trends?event=searched&platform=ios', 'Condition: platform is iOS', 'trends'],
      ['questions?as=retention&starts=searched', 'Event: searched', 'retention'],
      ['funnels', 'Event: purchase_completed', 'funnels'],
    ] as const) {
      await open(`${path}/${address}`);
      await page.waitForURL(`**/${at}**`);
      if (at === 'funnels') await page.getByRole('button', { name: 'More conditions' }).click();
      await page.getByRole('button', { name: chip }).waitFor();
    }
  });
});

describe.skipIf(!browser)('a segment', () => {
  test('is made of clauses, counted while it is changed, and shows who is in it', async () => {
    const { page, open } = owner;
    await page.setViewportSize(WIDE);
    await open(`${path}/segments`);
    await page.getByRole('link', { name: 'New segment' }).click();
    const add = async (kind: string) => {
      await page.getByRole('button', { name: 'Add a clause' }).click();
      await page.getByRole('menuitem', { name: kind, exact: true }).click();
    };
    const { choose } = askerAt(page);
    for (const [index, kind] of ['did', 'did not'].entries()) {
      await add(kind);
      await choose(page.getByRole('button', { name: 'Event: any event' }), COMPLETED[index] ?? '');
    }
    await page.getByText('180 people now').waitFor();
    await page.getByLabel('Name').fill('Saw it and did not buy');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Saw it and did not buy', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'person-0', exact: true }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('that a segment uses is not deleted, and says where it is used', async () => {
    const { page, open, call } = owner;
    await page.setViewportSize(WIDE);
    const all = (await call('GET', `/v1${path}/segments`)) as { id: string; name: string }[];
    const id = all.find(({ name }) => name === 'Came back')?.id ?? '';
    const rule = { all: [{ segment: id, is: false }] };
    await call('POST', `/v1${path}/segments`, { name: 'Left', rule });
    await open(`${path}/segments/${id}`);
    await page.getByRole('link', { name: 'Left' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Came back');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('The segment “Left” uses this segment.').waitFor();
    await open(`${path}/segments`);
    await page.getByRole('row', { name: /Left.*is not in the segment Came back/ }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('breaks no rule of the content security policy', () => {
    expect(owner.faults).toEqual([]);
  });
});
