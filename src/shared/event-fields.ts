type EventField = {
  column: string;
  label: string;
  missing: string;
  length: readonly [least: number, most: number] | null;
  isVersion: boolean;
  isFilter: boolean;
  sender: 'country' | 'platform' | 'version' | null;
};

/** Each is a condition, a breakdown of questions and an attribute of flags. */
export const EVENT_FIELDS = {
  platform: {
    column: 'platform',
    label: 'platform',
    missing: 'other',
    length: null,
    isVersion: false,
    isFilter: true,
    sender: 'platform',
  },
  appVersion: {
    column: 'app_version',
    label: 'version',
    missing: 'unknown',
    length: [0, 40],
    isVersion: true,
    isFilter: true,
    sender: 'version',
  },
  osVersion: {
    column: 'os_version',
    label: 'system version',
    missing: 'unknown',
    length: [0, 40],
    isVersion: true,
    isFilter: false,
    sender: null,
  },
  locale: {
    column: 'locale',
    label: 'language',
    missing: 'unknown',
    length: [0, 16],
    isVersion: false,
    isFilter: false,
    sender: null,
  },
  country: {
    column: 'country',
    label: 'country',
    missing: 'unknown',
    length: [2, 2],
    isVersion: false,
    isFilter: true,
    sender: 'country',
  },
} as const satisfies Record<string, EventField>;

export type ContextField = keyof typeof EVENT_FIELDS;
type Without<Key extends keyof EventField, Value> = {
  [Name in ContextField]: (typeof EVENT_FIELDS)[Name][Key] extends Value ? never : Name;
}[ContextField];
export type FilterField = Without<'isFilter', false>;
export type SenderField = Without<'sender', null>;
type TextField = Without<'length', null>;

export const isContextField = (name: string): name is ContextField =>
  Object.hasOwn(EVENT_FIELDS, name);
const isFilterField = (name: ContextField): name is FilterField => EVENT_FIELDS[name].isFilter;
const isTextField = (name: ContextField): name is TextField => EVENT_FIELDS[name].length !== null;
export const isSenderField = (name: string): name is SenderField =>
  isContextField(name) && EVENT_FIELDS[name].sender !== null;

export const CONTEXT_FIELDS = Object.keys(EVENT_FIELDS).filter(isContextField);
export const FILTER_FIELDS = CONTEXT_FIELDS.filter(isFilterField);
export const TEXT_FIELDS = CONTEXT_FIELDS.filter(isTextField);

export const isVersionField = (name: string): boolean =>
  isContextField(name) && EVENT_FIELDS[name].isVersion;

/** Guarantee: each name is given. */
export const eachOf = <Name extends string, Value>(
  names: readonly Name[],
  toValue: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
