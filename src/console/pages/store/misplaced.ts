import { store as t } from '../../texts/store.ts';

export type Kind = 'reporting' | 'purchase';
export const otherKind = (kind: Kind): Kind => (kind === 'reporting' ? 'purchase' : 'reporting');

/** What the store calls the files of its two kinds of keys. */
const FILES = [
  ['reporting', /^AuthKey_([A-Z0-9]+)\b/i],
  ['purchase', /^SubscriptionKey_([A-Z0-9]+)\b/i],
] as const;

/** As far as its name tells. */
export function keyOfFile(name: string): { kind: Kind; keyId: string } | null {
  for (const [kind, pattern] of FILES) {
    const keyId = pattern.exec(name)?.[1];
    if (keyId) return { kind, keyId };
  }
  return null;
}

const SHAPES = [
  ['issuerId', t.issuerId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['keyId', t.keyId, /^(?=.*[A-Z])[A-Z0-9]{10}$/],
  ['vendorNumber', t.vendor, /^\d{7,9}$/],
] as const;

export function misplacedValue(field: string, value: string): string | null {
  const own = SHAPES.find(([name]) => name === field);
  const shape = SHAPES.find(([, , pattern]) => pattern.test(value));
  if (!own || !shape || shape === own) return null;
  return t.isOther(own[1], shape[1].toLowerCase());
}
