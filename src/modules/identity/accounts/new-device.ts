import { createHmac, randomBytes } from 'node:crypto';
import type { VisitorContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import { isSameSecret } from '../../../shared/same-secret.ts';
import { newDeviceMail } from '../auth/mails.ts';
import type { KnownUser } from './queries.ts';

/** Others cannot use up its sign-in attempts. */
const placeOf = ({ orgId }: Signing) =>
  orgId === undefined
    ? { name: 'known_device', path: '/v1/auth/sign-in' }
    : { name: 'company_device', path: '/v1/auth/oidc' };
const ID_BYTES = 16;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

type Signing = { secret: string; email: string; orgId?: string };

function signature(id: string, { secret, email, orgId }: Signing): string {
  const text = ['known-device', id, email.toLowerCase(), ...(orgId === undefined ? [] : [orgId])];
  return createHmac('sha256', secret).update(text.join(':')).digest('base64url');
}

export function readKnownDevice(headers: Headers, signing: Signing): string | null {
  const cookie = new Bun.CookieMap(headers.get('cookie') ?? '').get(placeOf(signing).name);
  const [, id, received] = cookie?.match(/^([\w-]{22})\.([^.]*)/) ?? [];
  if (id === undefined || received === undefined) return null;
  return isSameSecret(received, signature(id, signing)) ? id : null;
}

/** Identifies the device, authenticates nobody. */
export function knownDeviceCookie(
  listening: Parameters<typeof toPublicUrl>[0],
  signing: Signing,
): string {
  const isSecure = toPublicUrl(listening).startsWith('https:');
  const { name, path } = placeOf(signing);
  const id = randomBytes(ID_BYTES).toString('base64url');
  return [
    `${name}=${id}.${signature(id, signing)}`,
    `Max-Age=${YEAR_SECONDS}`,
    `Path=${path}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}

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
