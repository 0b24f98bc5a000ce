import { createTransport } from 'nodemailer';
import type { Mailer } from './port.ts';

const TIMEOUT_MS = 10_000;

/** RFC 8058: mail programs offer one click to unsubscribe, and POST it; only where it is https. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

/** A mailer over SMTP. `smtpUrl` is `smtp://` or `smtps://` with credentials where needed. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
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
