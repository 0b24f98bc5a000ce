import { createTransport } from 'nodemailer';
import type { Mailer } from './port.ts';

const TIMEOUT_MS = 10_000;

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
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ to: { name: '', address: to }, subject, text });
    },
  };
}
