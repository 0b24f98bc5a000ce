import { DateTime } from 'luxon';

const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

function toOffset(sent: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(sent) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}

/** With an offset: its own, that of `zone`, or UTC. */
export function toInstant(time: string, zone?: string): string {
  if (time.endsWith('Z') && time[10] === 'T') return time;
  const [, day, minutes = '00:00', seconds = '00', offset] = TIME.exec(time.trim()) ?? [];
  if (day === undefined) return time;
  const local = `${day}T${minutes}:${seconds}`;
  if (offset !== undefined || zone === undefined) return `${local}${toOffset(offset ?? 'Z')}`;
  return DateTime.fromISO(local, { zone }).toUTC().toISO() ?? time;
}

const FARTHEST_MS = 8.64e15;

export function fromMicroseconds(us: number): string | undefined {
  const ms = Math.floor(us / 1_000);
  if (!(Math.abs(ms) <= FARTHEST_MS)) return undefined;
  const rest = us - ms * 1_000;
  const text = new Date(ms).toISOString();
  return rest === 0 ? text : text.replace('Z', `${String(Math.floor(rest)).padStart(3, '0')}Z`);
}
