import { afterAll, expect, test } from 'bun:test';
import { createMailer } from '../../../src/providers/mail/client.ts';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';

const smtp = startSmtpSimulator();
afterAll(smtp.stop);
const { port } = new URL(smtp.url);
/** 127.0.0.1 under a name that nothing takes for this machine. */
const ELSEWHERE = `smtp://2130706433:${port}`;
const mail = { to: 'somebody@example.com', subject: 'Reset', text: 'a secret link' };
const from = 'service@example.com';

test('a server of another machine that offers no encryption gets no mail', async () => {
  const mailer = createMailer(ELSEWHERE, { from, tls: 'required' });
  await expect(mailer.send(mail)).rejects.toThrow(/STARTTLS/);
  expect(smtp.mails).toEqual([]);
});

test('it gets it where the operator allows that, and this machine always', async () => {
  await createMailer(ELSEWHERE, { from, tls: 'optional' }).send(mail);
  await createMailer(smtp.url, { from, tls: 'required' }).send(mail);
  expect(smtp.mails).toHaveLength(2);
});
