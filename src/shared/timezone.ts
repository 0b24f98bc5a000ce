import { invalidInput } from './errors.ts';

/**
 * The IANA name of a zone in its own spelling; null for anything else, offsets included. Zones are
 * handed on to programs that know no other spelling.
 */
export function canonicalZone(name: string): string | null {
  // What JavaScript takes beside names: an offset.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Throws `invalid_input` for a name that is no zone. */
export function parseTimezone(name: string, field = 'timezone'): string {
  const zone = canonicalZone(name);
  if (zone === null) throw invalidInput(field, 'must be an IANA name such as Europe/Berlin');
  return zone;
}
