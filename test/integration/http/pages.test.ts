import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { launchChromium } from '../../support/clients/chromium.ts';
import { withProfile } from '../../support/clients/site.ts';
import { startListening } from '../../support/listening.ts';
import { createTestPerson, signInAs } from '../../support/people.ts';
import { createTestOrg } from '../../support/service.ts';

const smtp = startSmtpSimulator();
const browser = await launchChromium();
const mailing = await startListening({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'service@example.com',
  CONSOLE: 'off',
});
const mailless = await startListening({ CONSOLE: 'off' });
afterAll(async () => {
  smtp.stop();
  await browser?.close();
});

const newEmail = () => `${crypto.randomUUID()}@example.com`;
const PASSWORD = 'correct horse battery';
const PAGES = ['/accept-invitation', '/sign-up', '/reset-password'];

type Listening = typeof mailless;

async function invite({ service }: Listening, email: string) {
  const org = await createTestOrg(service);
  const headers = await signInAs(service, org);
  const body = { email, role: 'member' };
  const answer = await service.call('/v1/auth/organization/invite-member', { body, headers });
  return { org, headers, ...answer.body };
}

const linkIn = (text: string) => /http:\/\/\S+/.exec(text)?.[0] ?? '';

/** Takes pictures where somebody wants to look at the pages. */
async function picture(page: Page, name: string) {
  const folder = process.env.TEST_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Fails when the page is wider than the screen or a field has no name. */
async function checkUsable(page: Page) {
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  expect(wide).toBe(false);
  const nameless = await page.evaluate(
    "[...document.querySelectorAll('input')].filter((one) => one.labels.length === 0).length",
  );
  expect(nameless).toBe(0);
}

function onPage(
  name: string,
  work: (open: (url: string) => Promise<Page>, refusals: string[]) => Promise<void>,
) {
  test.skipIf(!browser)(name, async () => {
    if (!browser) return;
    await withProfile(browser, async (context) => {
      const refusals: string[] = [];
      await work(async (url) => {
        const page = await context.newPage();
        await page.setViewportSize({ width: 375, height: 667 });
        page.on('pageerror', (error) => refusals.push(error.message));
        page.on('console', (line) => {
          if (/Content Security Policy/.test(line.text())) refusals.push(line.text());
        });
        await page.goto(url);
        return page;
      }, refusals);
      expect(refusals).toEqual([]);
    });
  });
}

describe('a link for people', () => {
  onPage('of an invitation leads to an account and a membership', async (open) => {
    const email = newEmail();
    const invitation = await invite(mailless, email);
    expect(invitation.link).toStartWith(`${mailless.url}/accept-invitation#`);
    const page = await open(invitation.link);
    await page.getByRole('textbox', { name: 'E-mail address' }).waitFor();
    expect(page.url()).toBe(`${mailless.url}/accept-invitation`);
    expect(await page.getByRole('textbox', { name: 'E-mail address' }).inputValue()).toBe(email);
    await checkUsable(page);
    await picture(page, 'accept-new');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Make an account and join' }).click();
    await page.getByText('You are a member of “Test” now').waitFor();
    await picture(page, 'accept-done');
    const listed = await mailless.service.call('/v1/auth/organization/list-members', {
      headers: invitation.headers,
    });
    expect(listed.body.map((member: { email: string }) => member.email)).toContain(email);
  });

  onPage(
    'of an invitation also serves who has an account, and says what is wrong',
    async (open) => {
      const person = await createTestPerson(mailless.service);
      const { link } = await invite(mailless, person.email);
      const page = await open(link);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('New password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Make an account and join' }).click();
      await page.getByText('There is an account with this address already').waitFor();
      await page.getByLabel('Password', { exact: true }).fill('not this one');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').getByText('the password is wrong').waitFor();
      await picture(page, 'accept-wrong');
      await page.getByLabel('Password', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('You are a member of “Test” now').waitFor();
    },
  );

  onPage('of an invitation in the old form, for somebody signed in', async (open) => {
    const person = await createTestPerson(mailless.service);
    const { id } = await invite(mailless, person.email);
    const first = await open(`${mailless.url}/sign-up`);
    await first.getByRole('button', { name: 'I have an account' }).click();
    await first.getByRole('textbox', { name: 'E-mail address' }).fill(person.email);
    await first.getByLabel('Password', { exact: true }).fill(person.password);
    await first.getByRole('button', { name: 'Sign in', exact: true }).click();
    await first.getByText(`You are signed in as ${person.email}`).waitFor();
    const page = await open(`${mailless.url}/accept-invitation?id=${id}`);
    await page.getByRole('button', { name: 'Join' }).waitFor();
    expect(page.url()).toBe(`${mailless.url}/accept-invitation`);
    await picture(page, 'accept-signed-in');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('You are a member of “Test” now').waitFor();
  });

  onPage('in a mail of a reset sets a new password', async (open) => {
    const person = await createTestPerson(mailing.service);
    const page = await open(`${mailing.url}/reset-password`);
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(person.email);
    await checkUsable(page);
    await picture(page, 'reset-request');
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    const link = linkIn((await smtp.mailTo(person.email)).text);
    const second = await open(link);
    await second.emulateMedia({ colorScheme: 'dark' });
    await second.getByLabel('New password').fill('the new password');
    expect(second.url()).toBe(`${mailing.url}/reset-password`);
    await checkUsable(second);
    await picture(second, 'reset-dark');
    await second.getByRole('button', { name: 'Set the password' }).click();
    await second.getByText('The new password is set').waitFor();
    await second.getByRole('textbox', { name: 'E-mail address' }).fill(person.email);
    await second.getByLabel('Password', { exact: true }).fill('the new password');
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    await second.getByText(`You are signed in as ${person.email}`).waitFor();
  });

  onPage('works by the other loopback name too', async (open) => {
    const { link } = await invite(mailless, newEmail());
    const page = await open(link.replace('localhost', '127.0.0.1'));
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Make an account and join' }).click();
    await page.getByText('You are a member of “Test” now').waitFor();
  });
});

describe('the pages', () => {
  test.each(PAGES)('%s runs what the console runs, and is framed by nobody', async (path) => {
    const answer = await mailless.service.call(path, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.text).not.toMatch(/<script>|\son\w+=|style="/);
    const assets = [...answer.text.matchAll(/"(\/console\/[\w-]+\.(?:js|css))"/g)];
    expect(assets.length).toBeGreaterThan(1);
    for (const [, asset = ''] of assets) {
      const found = await mailless.service.call(asset);
      expect(found.status).toBe(200);
      expect(found.headers.get('cache-control')).toContain('immutable');
    }
  });
});
