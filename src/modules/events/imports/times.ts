import { DateTime } from 'luxon';
import { msToIso } from '../../../shared/ms-to-iso.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { toText } from './event.ts';

const USUAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const TIME =
  /^(\d{4})([-/]?)(\d\d)\2(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9})\d*)?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?(?: UTC|\[[\w/+-]+\])?$/i;
const OF_JAVASCRIPT = /^(\w{3}) (\w{3}) (\d\d) (\d{4}) (\S{8}) GMT([+-]\d{4})( \(.*\))?$/;

function toOffset(sent: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(sent) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}

/** With an offset: its own, that of `zone`, or UTC. */
export function toInstant(time: string, zone?: string): string {
  if (USUAL.test(time)) return time;
  const found = TIME.exec(time.trim());
  if (!found) {
    const asMail = time.replace(OF_JAVASCRIPT, '$1, $3 $2 $4 $5 $6');
    return DateTime.fromRFC2822(asMail).toUTC().toISO() ?? time;
  }
  const [, year, , month, day, hour = '00', minute = '00', second = '00', fraction, offset] = found;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`;
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

const NUMBER = /^(?!\d{8}$)-?\d{1,19}(\.\d+)?$/;

/** The year 10000 in seconds; as many milliseconds are in 1978. */
const END_SECONDS = 2.6e11;

function numberToInstant(sent: number): string {
  const size = Math.abs(sent) / END_SECONDS;
  const unit = size < 1 ? 1e6 : size < 1e3 ? 1e3 : size < 1e6 ? 1 : 1e-3;
  return fromMicroseconds(Math.round(sent * unit)) ?? String(sent);
}

/** A malformed time stays as sent, to be refused. */
export function sentTime(sent: unknown, zone?: string): string | undefined {
  if (typeof sent === 'number') return numberToInstant(sent);
  const text = toText(sent);
  if (text === undefined) return undefined;
  return NUMBER.test(text) ? numberToInstant(Number(text)) : toInstant(text, zone);
}

const NEAR_MS = HOUR_MS;

export function clientTime(
  corrected: string | undefined,
  own: string | undefined,
): string | undefined {
  if (corrected === undefined || own === undefined) return corrected ?? own;
  return Math.abs(Date.parse(corrected) - Date.parse(own)) <= NEAR_MS ? own : corrected;
}
