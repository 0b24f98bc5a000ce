import { isLoopbackAddress } from '../../shared/loopback.ts';
import type { Arrival } from './model.ts';

const FIRST_FORWARDED = '192.0.2.77';
const PROBE = 'x-doctor';

export const PROBE_HEADERS = {
  [PROBE]: '1',
  cookie: 'doctor=1',
  'x-forwarded-for': FIRST_FORWARDED,
};

export function toArrival(headers: Headers, peer: string | undefined): Arrival | null {
  const forwardedFor = headers.get('x-forwarded-for');
  if (forwardedFor === null && (peer === undefined || isLoopbackAddress(peer))) return null;
  return { forwardedFor, lostCookie: headers.has(PROBE) && !headers.has('cookie') };
}

export function countProxies({ forwardedFor }: Arrival): number {
  const entries = (forwardedFor ?? '').split(',').flatMap((entry) => entry.trim() || []);
  return entries.length - 1 - entries.lastIndexOf(FIRST_FORWARDED);
}
