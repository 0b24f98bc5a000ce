import { createTransport } from 'nodemailer';
import { isLoopbackHost } from '../../shared/loopback.ts';
import type { Mailer } from './port.ts';

const TIMEOUT_MS = 10_000;

/** RFC 8058: mail programs offer one click to unsubscribe, and POST it; only where it is https. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

type MailerOptions = { from: string; tls: 'required' | 'optional' };

/**
 * A mailer over SMTP. `smtpUrl` is `smtp://` or `smtps://` with credentials where needed. Mails carry
 * secrets, so a server of another machine that offers no encryption gets none.
 */
export function createMailer(smtpUrl: string, { from, tls }: MailerOptions): Mailer {
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
