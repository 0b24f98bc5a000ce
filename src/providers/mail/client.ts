import { createTransport } from 'nodemailer';
import { isLoopbackHost } from '../../shared/loopback.ts';
import type { Mailer } from './port.ts';

const TIMEOUT_MS = 10_000;

/** RFC 8058; https only. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

type CheckedMailer = Mailer & { check: () => Promise<unknown> };
type MailerOptions = { from: string; tls: 'required' | 'optional' };

/** Mails carry secrets. */
export function createMailer(smtpUrl: string, { from, tls }: MailerOptions): CheckedMailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      requireTLS: tls === 'required' && !isLoopbackHost(new URL(smtpUrl).hostname),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    check: () => transport.verify(),
    send: async ({ to, subject, text, messageId, unsubscribe }) => {
      await transport.sendMail({
        to: { name: '', address: to },
        subject,
        text,
        ...(messageId !== undefined && { messageId }),
        ...(unsubscribe !== undefined && { headers: unsubscribeHeaders(unsubscribe) }),
      });
    },
  };
}
