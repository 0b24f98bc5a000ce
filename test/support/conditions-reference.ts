import type { EventRow } from '../../src/event-store/event/columns.ts';
import type { Condition, Conditions } from '../../src/query/selection/conditions.ts';

/** The condition language once more; slow, and shares no code. */
type Sent = string | number | boolean | null;

function sentValue(row: EventRow, field: string): Sent {
  if (field.startsWith('prop:')) {
    const props: Record<string, Sent> = row.props === null ? {} : JSON.parse(row.props);
    return Object.entries(props).find(([name]) => name === field.slice(5))?.[1] ?? null;
  }
  if (field === 'session') return row.sessionId;
  if (field === 'name') return row.name;
  if (field === 'platform') return row.platform;
  if (field === 'appVersion') return row.appVersion;
  if (field === 'osVersion') return row.osVersion;
  if (field === 'locale') return row.locale;
  return row.country;
}

/** 2.10-beta → [[2, 10], 0]: a pre-release comes before its release, a build after it. */
function versionParts(text: string): { numbers: number[]; rank: number } | null {
  const [, numbers = '', rest = ''] =
    /^v?(\d{1,15}(?:\.\d{1,15})*)([-+ (][\w.+() -]*)?$/.exec(text) ?? [];
  if (numbers === '') return null;
  return {
    numbers: numbers.split('.').map(Number),
    rank: rest === '' ? 1 : rest[0] === '-' ? 0 : 2,
  };
}

function orderOfVersions(one: string, other: string): number | null {
  const [a, b] = [versionParts(one), versionParts(other)];
  if (!a || !b) return null;
  for (let place = 0; place < Math.max(a.numbers.length, b.numbers.length); place += 1) {
    const [left = 0, right = 0] = [a.numbers[place], b.numbers[place]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.rank - b.rank;
}

function orderOfTexts(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  for (let place = 0; place < Math.min(a.length, b.length); place += 1) {
    const [left, right] = [a[place]!.codePointAt(0)!, b[place]!.codePointAt(0)!];
    if (left !== right) return left - right;
  }
  return a.length - b.length;
}

function order(field: string, value: Sent, bound: string | number): number | null {
  if (typeof value === 'number') return typeof bound === 'number' ? Math.sign(value - bound) : null;
  if (typeof value !== 'string' || typeof bound !== 'string') return null;
  return field === 'appVersion' || field === 'osVersion'
    ? orderOfVersions(value, bound)
    : orderOfTexts(value, bound);
}

function holds(row: EventRow, condition: Condition): boolean {
  const { field } = condition;
  const value = sentValue(row, field);
  const asStored = <T extends string | number | boolean>(wanted: T): T | string =>
    field === 'country' && typeof wanted === 'string' && /^[a-z]{1,2}$/i.test(wanted)
      ? wanted.toUpperCase()
      : wanted;
  const compared = (bound: string | number, accepts: (sign: number) => boolean) => {
    const sign = order(field, value, asStored(bound));
    return sign !== null && accepts(sign);
  };
  const equals = (wanted: string | number | boolean) => value === asStored(wanted);
  if (condition.op === 'is') return equals(condition.value);
  if (condition.op === 'isNot') return !equals(condition.value);
  if (condition.op === 'isOneOf') return condition.values.some(equals);
  if (condition.op === 'isSet') return value !== null;
  if (condition.op === 'isNotSet') return value === null;
  if (condition.op === 'contains')
    return typeof value === 'string' && value.includes(asStored(condition.value));
  if (condition.op === 'beginsWith') {
    return typeof value === 'string' && value.startsWith(asStored(condition.value));
  }
  if (condition.op === 'gt') return compared(condition.value, (sign) => sign > 0);
  if (condition.op === 'gte') return compared(condition.value, (sign) => sign >= 0);
  if (condition.op === 'lt') return compared(condition.value, (sign) => sign < 0);
  if (condition.op === 'lte') return compared(condition.value, (sign) => sign <= 0);
  if (!('from' in condition)) return false;
  return (
    compared(condition.from, (sign) => sign >= 0) && compared(condition.to, (sign) => sign <= 0)
  );
}

/** With the segments that its person is in. */
export type MemberRow = EventRow & { memberOf?: ReadonlySet<string> };

type Part = Conditions | Extract<Conditions, { all: unknown }>['all'][number];

export function isMeant(row: MemberRow, part: Part | undefined): boolean {
  if (part === undefined) return true;
  if ('all' in part) return part.all.every((inner) => isMeant(row, inner));
  if ('any' in part) return part.any.some((inner) => isMeant(row, inner));
  if ('field' in part) return holds(row, part);
  const key = part.asOf === 'event' ? `${part.segment} then` : part.segment;
  return (row.memberOf?.has(key) ?? false) === part.is;
}
