import type { Deps } from '../../../context.ts';
import { passwordChangedMail } from '../organizations/mails.ts';
import { findUser } from './queries.ts';

/** Tells the owner of a proved address, in the background: the change itself is done. */
export async function notifyPasswordChanged(
  { sql, log, identity: { mailer, consoleUrl } }: Pick<Deps, 'sql' | 'log' | 'identity'>,
  userId: string,
): Promise<void> {
  if (!mailer) return;
  const user = await findUser(sql, userId);
  if (!user?.emailVerified) return;
  mailer.send(passwordChangedMail(consoleUrl, user.email)).catch((error: unknown) => {
    log.error({ err: error }, 'The notice of a changed password could not be mailed.');
  });
}
