import { parseExact } from '../../../shared/exact-json.ts';
import { CONTEXT_FIELDS, EVENT_FIELDS, TEXT_FIELDS } from '../../../shared/event-fields.ts';
import type { Ids } from '../../../shared/identity.ts';
import { isRecord } from '../../../shared/record.ts';
import { stringifyWellFormed } from '../../../shared/well-formed-json.ts';
import { type BatchContext, type EventInput, PLATFORMS } from '../model.ts';
import { eventName } from '../names/rule.ts';
import { memoized } from '../../../shared/memoized.ts';
import { toCountry } from './country.ts';
import { withMoney } from './money.ts';

export type Fields = Record<string, unknown>;

export type ImportedEvent = {
  event: Fields;
  context: Fields;
  sentName: string;
  /** The client forbids to look at its address. */
  ignoresAddress?: boolean;
  /** Whether only what is known tells the user from the device of an alias. */
  isOpen?: boolean;
};

/** Throws for what is no object. */
export function toFields(value: unknown): Fields {
  if (isRecord(value)) return value;
  throw new Error('line: must be an object');
}

const PROPERTY_MAX = 500;
const PROPERTIES_MAX = 100;
const ID_MAX = 64;
const SESSION_MAX = 128;
const ID_HEX_DIGITS = 32;

export const INTERNAL = new Set([
  '$set',
  '$groupidentify',
  '$feature_flag_called',
  '$create_alias',
]);

export const toText = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value)
    : undefined;
const NO_FIELDS: Fields = Object.freeze({});
export const toRecord = (value: unknown): Fields => (isRecord(value) ? value : NO_FIELDS);

export function toProperties(line: Fields, column: string): Fields {
  const value = line[column];
  if (typeof value !== 'string') return toRecord(value);
  try {
    return toFields(parseExact(value));
  } catch {
    throw new Error(`${column}: must be an object of JSON`);
  }
}

/** In names, which no event may have. */
const LINE_BREAK = /[\n\r\u2028\u2029]/;

/** Names that are not the other product's own; a dollar sign always is. */
export function keepsNames(foreign: RegExp): (name: string) => boolean {
  const keeps = memoized((name) => !foreign.test(name) && !LINE_BREAK.test(name));
  return (name) => !name.startsWith('$') && keeps(name);
}

const keepsUsual = keepsNames(/^(mp_|token$|distinct_id$|time$)/);

type StoredProps = NonNullable<EventInput['props']>;

const toShort = (text: string): string =>
  text.length <= PROPERTY_MAX
    ? text
    : [...text.slice(0, 2 * PROPERTY_MAX)].slice(0, PROPERTY_MAX).join('');

function isStorable(sent: Fields, keeps: (name: string) => boolean): sent is StoredProps {
  let count = 0;
  for (const name in sent) {
    count += 1;
    if (count > PROPERTIES_MAX || !keeps(name)) return false;
    const value = sent[name];
    const isShort = typeof value === 'string' && value.length <= PROPERTY_MAX;
    if (!isShort && !Number.isFinite(value) && typeof value !== 'boolean' && value !== null) {
      return false;
    }
  }
  return true;
}

function toProperty(value: unknown): StoredProps[string] {
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return toShort(typeof value === 'object' ? stringifyWellFormed(value) : String(value));
}

/** Lists and objects as JSON; without the other product's own. */
function toProps(sent: Fields, keeps: (name: string) => boolean): StoredProps {
  if (isStorable(sent, keeps)) return sent;
  let props: StoredProps = {};
  let count = 0;
  for (const name in sent) {
    if (!keeps(name) || sent[name] === undefined) continue;
    count += 1;
    if (count > PROPERTIES_MAX) break;
    const value = toProperty(sent[name]);
    if (name === '__proto__') props = { ...props, [name]: value };
    else props[name] = value;
  }
  return props;
}

type SentContext = Record<keyof BatchContext, unknown>;

function contextOf(sent: SentContext): BatchContext {
  const system = toText(sent.platform);
  const platform = system === undefined ? undefined : toPlatform(system);
  const country = toCountry(toText(sent.country) ?? '');
  const context: BatchContext = platform === undefined ? {} : { platform };
  for (const field of TEXT_FIELDS) {
    const text = field === 'country' ? country : toText(sent[field]);
    if (text !== undefined) context[field] = text.slice(0, EVENT_FIELDS[field].length[1]);
  }
  return context;
}

export const isSameContext = (a: Partial<SentContext>, b: Partial<SentContext>): boolean =>
  a === b || CONTEXT_FIELDS.every((field) => a[field] === b[field]);

let lastSent: Partial<SentContext> = {};
let lastContext: Readonly<BatchContext> = Object.freeze({});

/** The same object for repeated fields. */
export function toContext(sent: SentContext): Readonly<BatchContext> {
  if (!isSameContext(sent, lastSent)) {
    lastContext = Object.freeze(contextOf(sent));
    lastSent = sent;
  }
  return lastContext;
}

const toPlatform = memoized((sent): NonNullable<BatchContext['platform']> => {
  const system = sent.toLowerCase();
  const known = PLATFORMS.find((name) => name === system);
  if (known) return known;
  if (/^(iphone|ipad|ios)/.test(system)) return 'ios';
  return /^mac/.test(system) ? 'macos' : 'other';
});

/** Derived from the content, for events without an id. */
export function idOfContent(content: unknown): string {
  const text = JSON.stringify(content);
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, ID_HEX_DIGITS);
}

/** For messages without an id: equal ones of a request stay apart. */
export function contentIds(ofSending: Fields = {}): (content: Fields) => string {
  const counts = new Map<string, number>();
  return (content) => {
    const id = idOfContent({ ...content, ...ofSending });
    const before = counts.get(id) ?? 0;
    counts.set(id, before + 1);
    return before === 0 ? id : idOfContent([id, before]);
  };
}

type Common = {
  name: string;
  id: string | undefined;
  ts: string | undefined;
  session: unknown;
  props: Fields;
  screen?: { name: string | undefined } | undefined;
  ids: Ids;
  keeps?: (name: string) => boolean;
};

const hashOver = (max: number, id: string): string => (id.length > max ? idOfContent(id) : id);

const toId = (id: string): string => (id.length >= 8 ? hashOver(ID_MAX, id) : `imported-${id}`);

export function toEvent(common: Common): Fields {
  const { name, id, ts, props, screen, ids, keeps = keepsUsual } = common;
  const session = toText(common.session);
  const own = screen?.name === undefined ? props : { ...props, screen: screen.name };
  return {
    id: id === undefined ? undefined : toId(id),
    name: screen ? 'screen_viewed' : eventName(name),
    ts,
    anonymousId: ids.anonymousId,
    userId: ids.userId,
    sessionId: session === undefined ? undefined : hashOver(SESSION_MAX, session),
    props: toProps(withMoney(own), keeps),
  };
}

export function parsePath(address: unknown): string | undefined {
  const text = toText(address);
  return text !== undefined && URL.canParse(text) ? new URL(text).pathname : undefined;
}
