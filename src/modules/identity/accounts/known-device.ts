import { createHmac, randomBytes } from 'node:crypto';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import { isSameSecret } from '../../../shared/same-secret.ts';

/** Others cannot use up its sign-in attempts. */
const COOKIE = 'known_device';
const ID_BYTES = 16;
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const PATH = '/v1/auth/sign-in';

type Signing = { secret: string; email: string };

function signature(id: string, { secret, email }: Signing): string {
  const text = `known-device:${id}:${email.toLowerCase()}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function readKnownDevice(headers: Headers, signing: Signing): string | null {
  const cookie = new Bun.CookieMap(headers.get('cookie') ?? '').get(COOKIE);
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
  const id = randomBytes(ID_BYTES).toString('base64url');
  return [
    `${COOKIE}=${id}.${signature(id, signing)}`,
    `Max-Age=${YEAR_SECONDS}`,
    `Path=${PATH}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
