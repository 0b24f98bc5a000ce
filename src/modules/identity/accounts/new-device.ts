import type { VisitorContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { newDeviceMail } from '../auth/mails.ts';
import { knownDeviceCookie, readKnownDevice } from './known-device.ts';
import type { KnownUser } from './queries.ts';

type Notified = Pick<KnownUser, 'id' | 'email' | 'emailVerified'>;
/** By whose provider. */
type Company = { orgId: string; organizationName: string };

async function notify(
  ctx: VisitorContext<'clock' | 'identity' | 'rateLimits'>,
  { id, email, emailVerified }: Notified,
  company: Company | undefined,
): Promise<void> {
  const { clock, identity, rateLimits } = ctx.deps;
  if (!identity.mailer || !emailVerified) return;
  // Scripts sign in without cookies, each time anew.
  await rateLimits.take(
    'signInAccount',
    `device ${[id, ...(company ? [company.orgId] : [])].join(' ')}`,
  );
  const device = {
    email,
    at: clock(),
    address: ctx.address,
    userAgent: ctx.headers.get('user-agent'),
    organizationName: company?.organizationName ?? null,
  };
  await identity.mailer.send(newDeviceMail(identity.consoleUrl, device));
}

/** Not awaited: no reason to refuse the sign-in. */
function notifyNewDevice(
  ctx: VisitorContext<'clock' | 'identity' | 'log' | 'rateLimits'>,
  user: Notified,
  company: Company | undefined,
): void {
  notify(ctx, user, company).catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'rate_limited') return;
    ctx.deps.log.error({ err: thrown }, 'notice of a new device could not be mailed');
  });
}

/** Cookies that make the device known; a new one is told to the owner. */
export function rememberDevice(
  ctx: VisitorContext<'clock' | 'config' | 'identity' | 'log' | 'rateLimits'>,
  user: Notified,
  company?: Company,
): string[] {
  const { config, identity } = ctx.deps;
  const { email } = user;
  const signing = {
    secret: identity.signingSecret,
    email,
    ...(company && { orgId: company.orgId }),
  };
  if (readKnownDevice(ctx.headers, signing) !== null) return [];
  notifyNewDevice(ctx, user, company);
  return [knownDeviceCookie(config, signing)];
}
