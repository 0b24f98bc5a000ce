import type { VisitorContext } from '../../../context.ts';
import { rememberDevice } from '../accounts/new-device.ts';
import { findUser } from '../accounts/queries.ts';
import { companyJoinedMail } from '../auth/mails.ts';
import { findOrganizationName } from './queries.ts';

type Entered = { orgId: string; userId: string; hasJoined: boolean };

/** To a proved address only; returns cookies of the device. */
export async function tellOfSignIn(
  ctx: VisitorContext<'clock' | 'config' | 'identity' | 'log' | 'rateLimits' | 'sql'>,
  { orgId, userId, hasJoined }: Entered,
): Promise<string[]> {
  const { identity, log, sql } = ctx.deps;
  const user = await findUser(sql, userId);
  if (!user?.emailVerified) return [];
  const organizationName = await findOrganizationName(sql, orgId);
  if (!hasJoined) return rememberDevice(ctx, user, { orgId, organizationName });
  const { email } = user;
  const mail = companyJoinedMail(identity.consoleUrl, { email, organizationName });
  identity.mailer?.send(mail).catch((err: unknown) => {
    log.error({ err, orgId }, 'notice of a joined account could not be mailed');
  });
  return [];
}
