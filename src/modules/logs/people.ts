import { invalidInput } from '../../shared/errors.ts';
import { isRecord } from '../../shared/record.ts';

/** A dot stands in the name, or for a field within. */
export const USER_FIELDS = [
  ...['userId', 'user_id', 'userIds', 'user_ids', 'personId', 'person_id', 'personIds'],
  ...['distinctId', 'distinct_id', 'user.id', 'user.email', 'user.name', 'enduser.id'],
  ...['person.id', 'uid'],
];
export const DEVICE_FIELDS = [
  ...['anonymousId', 'anonymous_id', 'anonymousIds', 'deviceId', 'device_id', 'deviceIds'],
  ...['device.id', 'app.installation.id', 'enduser.pseudo.id'],
];

/** Each is looked up for every app that erased somebody. */
export const MAX_NAMED = 1_000;

export type NamedPeople = { users: string[]; devices: string[] };

export const countIds = ({ users, devices }: NamedPeople): number => users.length + devices.length;

const idsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(idsOf);
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' && value !== '' ? [value] : [];
};

const within = (object: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), object);

export function namedPeople(fields: object): NamedPeople {
  const named: NamedPeople = { users: [], devices: [] };
  const open: unknown[] = [fields];
  const take = (object: object, names: readonly string[]) =>
    names
      .flatMap((name) => [name, ...(name.includes('.') ? [name.split('.')] : [])])
      .flatMap((path) => idsOf(within(object, Array.isArray(path) ? path : [path])));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) {
      named.users.push(...take(next, USER_FIELDS));
      named.devices.push(...take(next, DEVICE_FIELDS));
    }
    for (const value of Object.values(next)) open.push(value);
  }
  const users = [...new Set(named.users)];
  const devices = users.length > 0 ? [] : [...new Set(named.devices)];
  if (countIds({ users, devices }) > MAX_NAMED) {
    throw invalidInput('fields', `name at most ${MAX_NAMED} people`);
  }
  return { users, devices };
}
