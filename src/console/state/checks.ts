export type Check = (value: unknown) => boolean;

type Unknown = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text: Check = (value) => typeof value === 'string';
export const number: Check = (value) => typeof value === 'number';
export const boolean: Check = (value) => typeof value === 'boolean';
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const literal =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
export const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check);
export const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((key) => Object.hasOwn(fields, key)) &&
    Object.entries(fields).every(([key, check]) => check(value[key]));

const scalar = either(text, number, boolean);
const operand = optional(scalar);
const several = optional(list(scalar));
const plain = shape({
  ...{ field: text, op: text, value: operand, values: several, from: operand, to: operand },
});
const member = shape({ segment: text, is: boolean, asOf: optional(literal('now', 'event')) });
const leaf: Check = (value) =>
  member(value) ||
  (isObject(value) && plain(value) && (value.op === 'isOneOf') === (value.values !== undefined));
export const allOrAny = (check: Check): Check =>
  either(shape({ all: list(check) }), shape({ any: list(check) }));
export const conditions = allOrAny(either(leaf, allOrAny(leaf)));
export const selection = shape({ events: optional(list(text)), where: optional(conditions) });

export function readJson<T>(
  json: string | undefined,
  isRead: (value: unknown) => value is T,
): T | undefined {
  try {
    const read: unknown = JSON.parse(json ?? 'null');
    return isRead(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
