import { createHmac, randomBytes } from 'node:crypto';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import { isSameSecret } from '../../../shared/same-secret.ts';

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
