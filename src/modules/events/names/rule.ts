import { memoized } from '../../../shared/memoized.ts';
import { MAX_NAME_CHARACTERS, STANDARD_EVENT_NAMES } from '../model.ts';

const LIFECYCLE = new Map([
  ['application_opened', 'app_opened'],
  ['application_installed', 'app_installed'],
  ['application_updated', 'app_updated'],
  ['application_backgrounded', 'app_backgrounded'],
]);
const MEANT = new Set([...STANDARD_EVENT_NAMES, ...LIFECYCLE.values(), 'identify']);
const PREFIX = /^(\[Amplitude\]\s*|\$)/;
const PLAIN = /^[a-z][a-z0-9]*([ _-][a-z0-9]+)*$/i;

const SAYS_ANYTHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

function slug(sent: string): string {
  const name = sent
    .replace(/^\[Amplitude\]\s*/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, MAX_NAME_CHARACTERS);
  return LIFECYCLE.get(name) ?? name;
}

const digits = (sent: string, length: number): string =>
  new Bun.CryptoHasher('sha256').update(sent).digest('hex').slice(0, length);

function withDigits(name: string, sent: string, length: number): string {
  const kept = name.slice(0, MAX_NAME_CHARACTERS - length - 1).replace(/_+$/, '');
  return `${kept}_${digits(sent, length)}`;
}

function nameOf(sent: string): string {
  const name = slug(sent);
  return name === '' && SAYS_ANYTHING.test(sent) ? withDigits('event', sent, 8) : name;
}

/** `Item Viewed` and `$itemViewed` alone become `item_viewed`. */
export const eventName = memoized(nameOf);

const isMeant = (sent: string): boolean =>
  MEANT.has(eventName(sent)) && PLAIN.test(sent.replace(PREFIX, ''));

export const mayCollide = memoized(
  (sent: string): boolean => eventName(sent) !== '' && !isMeant(sent),
);

export const isByRule = (name: unknown, sent: string): boolean =>
  name === eventName(sent) && mayCollide(sent);

export function namesFor(sent: string): [string, string, string] {
  const name = eventName(sent);
  const own = [withDigits(name, sent, 8), withDigits(name, sent, 24)] as const;
  return MEANT.has(name) ? [own[0], ...own] : [name, ...own];
}
