import { afterAll, describe, expect, test } from 'bun:test';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const smtp = startSmtpSimulator();
afterAll(smtp.stop);
const database = await testDatabase();
const service = await startTestService(database, {
  env: {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'service@example.com',
    CONSOLE_ORIGINS: 'https://console.example.com',
  },
});

const newEmail = () => `${crypto.randomUUID()}@example.com`;
const post = (route: string, body: object, headers = {}) =>
  service.call(`/v1/auth/${route}`, { body, headers });

async function resetToken(email: string): Promise<string> {
  await post('request-password-reset', { email });
  const { text } = await smtp.mailTo(email);
  return /https:\/\/console\.example\.com\/reset-password#token=(\S+)/.exec(text)?.[1] ?? '';
}

describe('password reset by mail', () => {
  test('sets a new password once, and ends every session', async () => {
    const person = await createTestPerson(service);
    const headers = await signInAs(service, person);
    const token = await resetToken(person.email);
    const body = { token, newPassword: 'the new password' };
    expect((await post('reset-password', body)).status).toBe(200);
    expect((await service.call('/v1/auth/get-session', { headers })).body).toBeNull();
    expect(await signInAs(service, { ...person, password: 'the new password' })).toBeDefined();
    await expect(signInAs(service, person)).rejects.toThrow();
    const again = await post('reset-password', { token, newPassword: 'yet another one' });
    expect(again).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
  });

  test('ends with its hour', async () => {
    const person = await createTestPerson(service);
    const token = await resetToken(person.email);
    await database.sql`
      UPDATE auth.verification SET "expiresAt" = now() - interval '1 second'
      WHERE value = ${person.userId}`;
    const body = { token, newPassword: 'the new password' };
    expect((await post('reset-password', body)).status).toBe(400);
  });

  test('answers the same for an address without an account, and sends nothing', async () => {
    const person = await createTestPerson(service);
    const known = await post('request-password-reset', { email: person.email });
    const stranger = newEmail();
    const unknown = await post('request-password-reset', { email: stranger });
    expect(known.status).toBe(200);
    expect(unknown.text).toBe(known.text);
    await smtp.mailTo(person.email);
    expect(smtp.mails.some(({ to }) => to.includes(stranger))).toBe(false);
  });
});

describe('invitations by mail', () => {
  test('hold no link but ours, whatever the organization is called', async () => {
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    const name = 'Win at https://evil.example/x or www.evil.example\u202e';
    await post('organization/update', { name }, headers);
    const email = newEmail();
    await post('organization/invite-member', { email, role: 'member' }, headers);
    const mail = await smtp.mailTo(email);
    const foreign = `${mail.headers}${mail.text}`.replaceAll(
      /https:\/\/console\.example\.com\S*/g,
      '',
    );
    expect(foreign).not.toMatch(/evil\.example|https?:|\u202e/);
  });

  test('go to the invited person, with the link; a name cannot add headers', async () => {
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    await post('organization/update', { name: 'Acme\r\nBcc: all@example.com' }, headers);
    const email = newEmail();
    const answer = await post('organization/invite-member', { email, role: 'member' }, headers);
    expect(answer.body).toMatchObject({ mailed: true, id: null, link: null });
    const mail = await smtp.mailTo(email);
    expect(mail.to).toEqual([email]);
    expect(mail.from).toBe('service@example.com');
    expect(mail.text).toContain('https://console.example.com/accept-invitation#id=');
    expect(mail.headers).not.toMatch(/^bcc/im);
  });

  test('are handed over by the inviter when the mail server refuses them', async () => {
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    smtp.refuse();
    const answer = await post(
      'organization/invite-member',
      { email: newEmail(), role: 'member' },
      headers,
    );
    expect(answer.status).toBe(200);
    expect(answer.body.mailed).toBe(false);
    expect(answer.body.link).toStartWith('https://console.example.com/accept-invitation#id=');
  });
});
