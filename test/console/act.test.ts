import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { shortDay } from '../../src/console/format.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { visitDemo } from '../support/console/demo.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const PEOPLE = 360;
const WIDE = { width: 1200, height: 900 };
const browser = await launchChromium();
const demo = browser && (await visitDemo(browser, PEOPLE));
const app = demo?.apps[0];
const appPath = `/apps/${app?.appId}`;
const deviceHeaders = { 'x-service-key': app?.serviceKey ?? '' };
afterAll(() => browser?.close());
beforeEach(async () => demo?.visitor.page.setViewportSize(WIDE));

/** Opens a page and waits until all of it is there. */
async function open(path: string): Promise<void> {
  if (!demo) return;
  const { page, go } = demo.visitor;
  await go(path);
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
}
/** Nothing is wrong with the page in light and dark, wide and narrow. */
async function soundOnEveryScreen(): Promise<void> {
  if (!demo) return;
  expect(await faultsOnEveryScreen(demo.visitor.page)).toEqual([]);
  await demo.visitor.page.setViewportSize(WIDE);
}

describe.skipIf(!demo)('an experiment', () => {
  test('is read: intervals of the arms and of their difference, and whether one may stop', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    await open(`${appPath}/experiments`);
    await soundOnEveryScreen();
    await page.getByRole('link', { name: 'Four screens or two' }).click();
    await page.locator('.verdict').waitFor();
    const two = page.getByRole('row', { name: /^two/ });
    expect(await two.locator('svg').count()).toBe(2);
    expect(await two.textContent()).toMatch(/[-+]?\d+\.\d points \([-+]\d+\.\d … [-+]\d+\.\d\)/);
    await page.getByText(/^Split as planned: \d+ to \d+ people, .*\(p = [01]\.\d\d;/).waitFor();
    await soundOnEveryScreen();
  });

  test('is made of contents that are JSON, started, and shown to devices', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    await open(`${appPath}/experiments`);
    // One of an app runs at a time.
    await page.getByRole('link', { name: 'With or without a film' }).click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Stop' }).click();
    await page.getByLabel('Type "With or without a film"').fill('With or without a film');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('so nobody more is counted').waitFor();

    await page.getByRole('link', { name: 'Experiments' }).first().click();
    await page.getByRole('button', { name: 'New experiment' }).click();
    await page.waitForURL('**?add=experiment');
    const form = page.locator('form', { hasText: 'Create the draft' });
    await form.getByLabel('Name', { exact: true }).fill('One question');
    await form.getByLabel('Name of the arm').nth(1).fill('question');
    await form.getByLabel('Onboarding').nth(1).selectOption('New content …');
    await form.getByLabel('Content (JSON)').fill('{"screens": [}');
    await form.getByText(/This is not JSON yet: .*"{"screens": \[}"/).waitFor();
    await form.getByRole('button', { name: 'Create the draft' }).click();
    await form.getByLabel('Content (JSON)').fill('{"screens": ["question"]}');
    await form.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByRole('heading', { name: 'One question' }).waitFor();
    await page.getByRole('heading', { name: 'How long it will take' }).waitFor();
    expect(await page.getByRole('row', { name: /^\+50%/ }).textContent()).toMatch(
      /\+50%[\d,]+\d+ (days|months|years)/,
    );
    await soundOnEveryScreen();
    await page.getByLabel('Margin (%)').fill('20');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    const start = page.getByRole('dialog', { name: /^Start “/ });
    await start.getByText('Everybody takes part.').waitFor();
    await start.getByText('fixed once it has run').waitFor();
    await start.getByRole('button', { name: 'Start' }).click();
    await page.getByText('each arm needs 50 people').waitFor();

    await page.getByLabel('Id of the device').fill('my-own-phone');
    await page.getByLabel('Arm', { exact: true }).selectOption('question');
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.getByRole('cell', { name: 'my-own-phone' }).waitFor();
    const shown = await demo.service.call('/v1/experiments?anonymousId=my-own-phone', {
      headers: deviceHeaders,
    });
    expect(shown.body.onboarding.config).toEqual({ screens: ['question'] });
  });

  test('is shipped by naming the arm, and everybody sees it', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Ship “question”' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing says that “question” is better').waitFor();
    await dialog.getByLabel('Type "question"').fill('no');
    await dialog.getByRole('button', { name: 'Ship “question”' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Type "question"').fill('question');
    await dialog.getByRole('button', { name: 'Ship “question”' }).click();
    await page.getByText('“question” was shipped on').waitFor();
    await open(`${appPath}/experiments`);
    await page.getByRole('row', { name: /One question .*Stopped “question” shipped/ }).waitFor();
    await page.getByRole('row', { name: /^question this one/ }).waitFor();
    expect(demo.visitor.faults).toEqual([]);
  });
});

describe.skipIf(!demo)('a person', () => {
  let userId = '';
  let device = '';

  test('is found by the beginning of an id and by a transaction', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    const [holder] = await demo.service.deps.sql<{ id: string; transaction: string }[]>`
      SELECT l.person_id AS id, c.original_transaction_id AS transaction
      FROM purchase_links l JOIN purchase_chains c
        USING (app_id, environment, original_transaction_id)
      WHERE c.app_id = ${app?.appId ?? ''} AND c.status = 1 AND l.kind = 'user'
        AND l.person_id LIKE 'user-00%'
        AND (c.digest->'current'->>'expiresAt')::numeric > extract(epoch FROM now()) * 1000
      LIMIT 1`;
    userId = holder?.id ?? '';
    device = userId.replace('user-', 'demo-');
    await open(`${appPath}/people`);
    await page.getByRole('heading', { name: 'Seen last' }).waitFor();
    await soundOnEveryScreen();
    await page.getByLabel('Find a person').fill(userId.slice(0, -2));
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('cell', { name: device, exact: true }).waitFor();
    await soundOnEveryScreen();
    await page.getByLabel('Find a person').fill(holder?.transaction ?? '');
    await page.getByRole('button', { name: 'Find' }).click();
    const byPurchase = page.getByRole('table', { name: 'By purchase' });
    await byPurchase.getByRole('link', { name: userId }).click();
    await page.getByRole('heading', { name: userId }).waitFor();
  });

  test('has an entitlement with its why, and one timeline', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    await page.locator('.verdict.good', { hasText: 'Entitled' }).waitFor();
    await page.getByText(/^(Paid for|In the free trial of) com\.example\./).waitFor();
    const bought = page.locator('.timeline .line', { hasText: /Bought|Free trial began/ }).first();
    await bought.waitFor();
    const visit = page.locator('.session', { hasText: 'purchase_completed' }).first();
    await visit.locator('summary').click();
    await visit.getByText('purchase_completed', { exact: true }).waitFor();
    await soundOnEveryScreen();
    await page.getByText('Purchases', { exact: true }).last().click();
    await page.waitForURL('**?*show=purchase');
    expect(await page.locator('.session').count()).toBe(0);
  });

  test('is answered otherwise when the store asks about a refund, and as everybody again', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    const part = page.locator('.person-part', { hasText: 'Refund requests' });
    const change = part.getByRole('button', { name: 'Change the answer about this person' });
    const dialog = page.getByRole('dialog');
    await part.getByText('Answered as everybody').waitFor();
    await change.click();
    await dialog.getByLabel('Please decline').check();
    await dialog.getByLabel('No: nothing is sent').check();
    await soundOnEveryScreen();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await part.getByText('Answered otherwise: Please decline, did not agree').waitFor();
    await soundOnEveryScreen();
    await change.click();
    const [answer, consent] = [0, 1].map((n) => dialog.getByLabel('As everybody').nth(n));
    await answer?.check();
    await consent?.check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await part.getByText('Answered as everybody').waitFor();
  });

  test('is granted a product, of which a word never seen is warned of, and it is taken back', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    await page.getByRole('button', { name: 'Grant a product' }).click();
    const dialog = page.getByRole('dialog');
    const products = dialog.getByLabel('Product', { exact: true });
    const known = products.locator('option').filter({ hasText: /^com\.example\./ });
    await known.first().waitFor({ state: 'attached' });
    expect(await dialog.getByLabel('A week').isChecked()).toBe(true);
    await products.selectOption('Another product id …');
    await dialog.getByLabel('Product id').fill('gift');
    await dialog.getByText('“gift” has never been bought or granted').waitFor();
    await soundOnEveryScreen();
    await dialog.getByLabel('Grant it all the same').check();
    await dialog.getByText('Until revoked').click();
    await dialog.getByLabel('Note').fill('for a long wait');
    await dialog.getByRole('button', { name: 'Grant a product' }).click();
    const gift = page
      .getByRole('listitem')
      .filter({ hasText: /^gift.*until it is revoked, for a/ });
    await gift.waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByLabel('Type "gift"').fill('gift');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/^revoked /).waitFor();
  });

  test('is exported with all events, and erased by their name', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const exported = await Bun.file(await file.path()).json();
    expect(exported.anonymousIds).toEqual([device]);
    expect(exported.events.length).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${exported.events.length} events of this person`).waitFor();
    await dialog.getByLabel(`Type "${userId}"`).fill(userId);
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await page.getByText('Erased. What comes for these ids later').waitFor();
    for (const id of [userId, device]) {
      await open(`${appPath}/people/${id}`);
      await page.getByText('Nothing is stored about this id.').waitFor();
    }
    expect(demo.visitor.faults).toEqual([]);
  });

  test('stands behind a point of a series, a cell of retention and a step of a funnel', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    await open(`${appPath}/trends`);
    await page.locator('.plot').click();
    await page.getByRole('heading', { name: /^People, / }).waitFor();
    await page
      .getByRole('link', { name: /^(demo|user)-/ })
      .first()
      .waitFor();
    await soundOnEveryScreen();
    await open(`${appPath}/retention`);
    await page.locator('button.heat-cell').first().click();
    await page.getByRole('heading', { name: /who came back in week 1$/ }).waitFor();
    await page
      .getByRole('link', { name: /^(demo|user)-/ })
      .first()
      .waitFor();
    await soundOnEveryScreen();
    await open(`${appPath}/funnels`);
    await page
      .getByRole('link', { name: /\d people$/ })
      .last()
      .click();
    await page.getByRole('heading', { name: 'Who stopped at the paywall' }).waitFor();
    await page
      .getByRole('link', { name: /^(demo|user)-/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(demo.visitor.faults).toEqual([]);
  });
});

describe.skipIf(!demo)('subscribers', () => {
  test('are counted with their movement, and the store apart', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    // Of the days that the page asks for: one that has begun since is in another answer.
    const asked = page.waitForResponse(/\/purchases\/overview\?.*from=/);
    await open(`${appPath}/subscribers`);
    const body = await (await asked).json();
    const figures = page.getByRole('region', { name: 'Figures of subscribers' });
    const active = figures.locator('.kpi', { hasText: /^Active/ });
    expect(await active.locator('.kpi-figure').textContent()).toBe(String(body.active));
    const movement = page.getByRole('figure', { name: /^From .* to .*$/ });
    await movement.getByRole('button', { name: /as a table$/ }).click();
    const behind = page.getByRole('dialog', { name: /^From .* to .*$/ });
    expect(
      await behind.getByRole('row', { name: new RegExp(`^${shortDay(body.to)}`) }).textContent(),
    ).toContain(String(body.subscriptions.end));
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'The store’s own counts' }).waitFor();
    await soundOnEveryScreen();
    await page.getByRole('radio', { name: 'Countries' }).check();
    await page.waitForURL('**?by=country');
    await page.getByRole('cell', { name: 'USA' }).waitFor();
    await page.locator('section', { hasText: 'Customers' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(demo.visitor.faults).toEqual([]);
  });
});

describe.skipIf(!demo)('a named entitlement', () => {
  test('is chosen over two products by keys, shown at its people, and taken away', async () => {
    if (!demo) return;
    const { page } = demo.visitor;
    const { origin } = new URL(page.url());
    const ask = async (path: string) => (await page.request.get(`${origin}/v1${path}`)).json();
    const products = ['com.example.focustimer.pro_monthly', 'com.example.focustimer.pro_yearly'];
    // The demo has one.
    const none = { data: { entitlements: [] }, headers: { origin } };
    const cleared = await page.request.put(`${origin}/v1${appPath}/entitlements`, none);
    expect(cleared.status()).toBe(200);
    await open(`${appPath}/purchases`);
    const card = page.getByRole('region', { name: 'Named entitlements' });
    await card.getByText('No name yet').waitFor();
    const add = card.getByRole('button', { name: 'Add a name' });
    await add.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a name' });
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('Give it a name.').waitFor();
    await soundOnEveryScreen();
    const name = dialog.getByLabel('Name', { exact: true });
    await name.pressSequentially('pro');
    await name.press('Enter');
    await dialog.getByText('Choose at least one product.').waitFor();
    expect((await ask(`${appPath}/entitlements`)).entitlements).toEqual([]);

    for (const key of ['Tab', 'Space', 'Tab', 'Space', 'Enter']) await page.keyboard.press(key);
    const row = card.getByRole('row', { name: /^pro/ });
    for (const product of products) await row.getByText(product, { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(await add.evaluate((button) => button.matches(':focus'))).toBe(true);
    expect((await ask(`${appPath}/entitlements`)).entitlements).toEqual([
      { name: 'pro', productIds: products },
    ]);
    await soundOnEveryScreen();

    await row.getByRole('button', { name: 'Change pro' }).click();
    const change = page.getByRole('dialog', { name: 'Change pro' });
    await change.getByLabel('com.example.focustimer.pro_yearly').uncheck();
    await change.getByRole('button', { name: 'Save' }).click();
    await row.getByText('com.example.focustimer.pro_yearly').waitFor({ state: 'detached' });

    type Customer = { userId: string | null };
    const { customers } = await ask(`${appPath}/purchases/customers?limit=100`);
    const customer = customers.find(({ userId }: Customer) => userId !== null);
    await open(`${appPath}/people/${customer.userId}`);
    await page.locator('.why .chip', { hasText: /^pro: / }).waitFor();
    await soundOnEveryScreen();

    await open(`${appPath}/purchases`);
    await row.getByRole('button', { name: 'Remove' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove pro' });
    await remove.getByLabel('Type "pro" to confirm').fill('pro');
    await remove.getByRole('button', { name: 'Remove' }).click();
    await card.getByText('No name yet').waitFor();
    expect((await ask(`${appPath}/entitlements`)).entitlements).toEqual([]);
    expect(demo.visitor.faults).toEqual([]);
  });
});
