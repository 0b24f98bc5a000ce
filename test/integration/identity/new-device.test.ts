import { afterAll, expect, test } from 'bun:test';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { cookieOf, createTestPerson } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

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

type Credentials = { email: string; password: string };
const signIn = ({ email, password }: Credentials, headers = {}) =>
  service.call('/v1/auth/sign-in/email', { body: { email, password }, headers });
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));

test('a new device is told once, with when, from where and with what', async () => {
  const person = await createTestPerson(service);
  const first = await signIn(person, { 'user-agent': 'Browser 7' });
  expect(first.status).toBe(200);
  const mail = await smtp.mailTo(person.email);
  expect(mail.headers).toContain('A new device signed in');
  expect(mail.text).toContain('https://console.example.com');
  expect(mail.text).toMatch(/When: \d{4}-\d\d-\d\dT/);
  expect(mail.text).toMatch(/Address: \S+/);
  expect(mail.text).toContain('Program: Browser 7');
  expect((await signIn(person, cookieOf(first.headers))).status).toBe(200);
  // The next new device is the second mail: the known one made none.
  await signIn(person, { 'user-agent': 'Second 1' });
  expect((await smtp.nextMailTo(person.email, 1)).text).toContain('Program: Second 1');
});

test("a program's name brings no link into the mail", async () => {
  const person = await createTestPerson(service);
  await signIn(person, { 'user-agent': 'https://evil.example/x www.evil.example' });
  const { text } = await smtp.mailTo(person.email);
  const foreign = text.replaceAll('https://console.example.com', '');
  expect(foreign).not.toMatch(/evil\.example|https?:/);
});

test('the cookie of one account makes no device known to another', async () => {
  const [one, other] = [await createTestPerson(service), await createTestPerson(service)];
  const { headers } = await signIn(one);
  await signIn(other, cookieOf(headers));
  expect((await smtp.mailTo(other.email)).headers).toContain('A new device signed in');
});

test('a wrong password and an unproved address are told nothing', async () => {
  const [wrong, unproved, last] = [
    await createTestPerson(service),
    await createTestPerson(service),
    await createTestPerson(service),
  ];
  await database.sql`
    UPDATE auth."user" SET "emailVerified" = false WHERE id = ${unproved.userId}`;
  expect((await signIn({ ...wrong, password: 'another password' })).status).toBe(401);
  expect((await signIn(unproved)).status).toBe(200);
  expect((await signIn(last)).status).toBe(200);
  await smtp.mailTo(last.email);
  expect([...mailsTo(wrong.email), ...mailsTo(unproved.email)]).toEqual([]);
});
