import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readCookie } from '../organizations/cookies.ts';

/** A device that signed in to an account before; others cannot use up its attempts. */
const COOKIE = 'known_device';
const ID_BYTES = 16;
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const PATH = '/v1/auth/sign-in/email';

type Signing = { secret: string; email: string };

function signature(id: string, { secret, email }: Signing): string {
  const text = `known-device:${id}:${email.toLowerCase()}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** The id of the device, when the account has signed in on it; null for any other. */
export function readKnownDevice(headers: Headers, signing: Signing): string | null {
  const [id = '', given = ''] = (readCookie(headers.get('cookie'), COOKIE) ?? '').split('.');
  if (!/^[A-Za-z0-9_-]{22}$/.test(id)) return null;
  const wanted = Buffer.from(signature(id, signing));
  const found = Buffer.from(given);
  return found.length === wanted.length && timingSafeEqual(found, wanted) ? id : null;
}

/** The cookie by which the device is known next time. It signs nobody in. */
export function knownDeviceCookie(signing: Signing & { secure: boolean }): string {
  const id = randomBytes(ID_BYTES).toString('base64url');
  return [
    `${COOKIE}=${id}.${signature(id, signing)}`,
    `Max-Age=${YEAR_SECONDS}`,
    `Path=${PATH}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(signing.secure ? ['Secure'] : []),
  ].join('; ');
}
