import { DateTime } from 'luxon';
import { msToIso } from '../../../shared/ms-to-iso.ts';
import { toText } from './event.ts';

const USUAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?(?: UTC)?$/i;

function toOffset(sent: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(sent) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}

/** With an offset: its own, that of `zone`, or UTC. */
export function toInstant(time: string, zone?: string): string {
  if (USUAL.test(time)) return time;
  const found = TIME.exec(time.trim()) ?? [];
  const [, day, minutes = '00:00', seconds = '00', fraction, offset] = found;
  if (day === undefined) return time;
  const local = `${day}T${minutes}:${seconds}${fraction === undefined ? '' : `.${fraction}`}`;
  if (offset !== undefined || zone === undefined) return `${local}${toOffset(offset ?? 'Z')}`;
  return DateTime.fromISO(local, { zone }).toUTC().toISO() ?? time;
}

const FARTHEST_MS = 8.64e15;

export function fromMicroseconds(us: number): string | undefined {
  const ms = Math.floor(us / 1_000);
  if (!(Math.abs(ms) <= FARTHEST_MS)) return undefined;
  const rest = us - ms * 1_000;
  const text = msToIso(ms);
  return rest === 0 ? text : text.replace('Z', `${String(Math.floor(rest)).padStart(3, '0')}Z`);
}

const NUMBER = /^-?\d{1,19}(\.\d+)?$/;

/** Of the year 10000 in seconds; as many milliseconds are of 1978. */
const END_SECONDS = 2.6e11;

function numberToInstant(sent: number): string {
  const size = Math.abs(sent) / END_SECONDS;
  const unit = size < 1 ? 1e6 : size < 1e3 ? 1e3 : size < 1e6 ? 1 : 1e-3;
  return fromMicroseconds(Math.round(sent * unit)) ?? String(sent);
}

/** What is no time stays as sent, to be refused. */
export function sentTime(sent: unknown, zone?: string): string | undefined {
  if (typeof sent === 'number') return numberToInstant(sent);
  const text = toText(sent);
  if (text === undefined) return undefined;
  return NUMBER.test(text) ? numberToInstant(Number(text)) : toInstant(text, zone);
}
