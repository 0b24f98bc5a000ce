import { invalidInput } from './errors.ts';

const REMOVED = new Map([
  ['Canada/East-Saskatchewan', 'America/Regina'],
  ['US/Pacific-New', 'America/Los_Angeles'],
]);

/** The only spelling other programs know; null for others, offsets included. */
export function canonicalZone(name: string): string | null {
  // JavaScript also accepts offsets.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return REMOVED.get(timeZone) ?? timeZone;
  } catch {
    return null;
  }
}

export function parseTimezone(name: string, field = 'timezone'): string {
  const zone = canonicalZone(name);
  if (zone === null) throw invalidInput(field, 'must be an IANA name such as Europe/Berlin');
  return zone;
}
