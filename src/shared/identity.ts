/** docs/events.md has their sources. */
const NO_IDS = new Set([
  ...['undefined', 'null', 'none', 'nil', 'nan', '-nan', 'optional(nil)', '-', '[]', '{}'],
  ...['true', 'false', '-1', '0.0', 'n/a', 'na', 'not set', 'unknown', 'anon', 'anonymous'],
  ...['guest', 'lmy47d', 'id', 'email', 'distinct_id', 'distinctid', 'not_authenticated'],
]);
const LONGEST = 28;
const NIL_UUID = /^(["']?)\{?(?:[0-]*0[0-]*|f{8}(?:-?f{4}){3}-?f{12})\}?\1$/i;
const OF_JAVASCRIPT = /^\[object \w+\]$/i;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const ENCLOSED = /^(?:(["'`])(.*)\1|[“<(](.*)[”>)])$/s;

export function isNoId(sent: string): boolean {
  const text = sent.replace(INVISIBLE, '').trim();
  const inner = text.replace(ENCLOSED, '$2$3').trim();
  if ([text, inner].some((one) => NIL_UUID.test(one)) || OF_JAVASCRIPT.test(inner)) return true;
  return inner === '' || (text.length <= LONGEST && NO_IDS.has(inner.toLowerCase()));
}

export const idOrNull = (sent: string | null | undefined): string | null =>
  sent === null || sent === undefined || isNoId(sent) ? null : sent;

export const NOBODY = '';

const DEVICE_MIN = 8;
const NO_DEVICE = '00000000-0000-0000-0000-000000000000';

export type Ids = { anonymousId: string; userId?: string };
export type SentIds = { user?: string | undefined; device?: string | undefined };

function toDeviceId(id: string): string {
  if (id.length >= DEVICE_MIN || id === '') return id;
  return isNoId(id) ? NO_DEVICE : `imported-${id}`;
}

export function storedIds(anonymousId: string, sentUser: string | null) {
  const userId = idOrNull(sentUser);
  if (!isNoId(anonymousId)) return { anonymousId, userId, personId: userId ?? anonymousId };
  return userId === null
    ? { anonymousId, userId, personId: NOBODY }
    : { anonymousId: toDeviceId(userId), userId, personId: userId };
}

export function firstId(...sent: readonly (string | undefined)[]): string | undefined {
  const given = sent.filter((id) => id !== undefined);
  return given.find((id) => !isNoId(id)) ?? given[0];
}

/** The store drops values that are no ids. */
export function namedIds({ user, device }: SentIds): Ids {
  const anonymousId = toDeviceId(firstId(device, user) ?? '');
  return user === undefined ? { anonymousId } : { anonymousId, userId: user };
}

export function unknownIds(person: string | undefined, device: string | undefined): Ids {
  if (person === undefined || person === device) return namedIds({ device });
  const isUser = device !== undefined || person.length < DEVICE_MIN;
  return namedIds(isUser ? { user: person, device } : { device: person });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NAMED_DEVICE = /^(\$device:|anon|device|guest|visitor)/i;

function deviceLikeness(id: string): number {
  if (id.length < DEVICE_MIN || id.includes('@')) return 0;
  return UUID.test(id) || NAMED_DEVICE.test(id) ? 2 : 1;
}

export const isMadeForDevice = (id: string): boolean => deviceLikeness(id) === 2;

/** The id of the device may be another user's. */
export const mayJoinUsers = ({ anonymousId, userId }: Ids): boolean =>
  userId !== undefined && userId !== anonymousId && !isMadeForDevice(anonymousId);

export type Joining = Ids & {
  isOpen: boolean;
};

/** In either order. */
export function joinedIds(earlier: string | undefined, later: string): Joining {
  if (earlier === undefined || isNoId(earlier) || isNoId(later) || earlier === later) {
    return { ...unknownIds(firstId(earlier, later), undefined), isOpen: false };
  }
  const likeness = deviceLikeness(earlier) - deviceLikeness(later);
  const ids = likeness < 0 ? { user: earlier, device: later } : { user: later, device: earlier };
  return { ...namedIds(ids), isOpen: likeness === 0 && earlier.length >= DEVICE_MIN };
}
