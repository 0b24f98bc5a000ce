import { FormatRegistry, type StringOptions, type TString, Type } from '@sinclair/typebox';

export function codePointLength(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Any surrogate pair, or unit not excluded. */
export const onePattern = (without = ''): string =>
  `(?:[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]|[^\\uD800-\\uDFFF${without}])`;

export const textOrNull = (value: unknown): string | null =>
  value === null ? null : String(value);

export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;

const NUL = '\u0000';

/** PostgreSQL text cannot hold NUL. */
export const withoutNul = (text: string): string => text.replaceAll(NUL, '');

/**
 * `any`: all; `device`: no NUL; `text`: no lone surrogates either; `name`: something visible too.
 */
type TextKind = 'any' | 'device' | 'text' | 'name';

function holds(kind: TextKind, value: string): boolean {
  if (kind === 'any') return true;
  if (value.includes(NUL)) return false;
  if (kind === 'device') return true;
  return value.isWellFormed() && (kind === 'text' || value === '' || value.trim() !== '');
}

function lengthFormat(min: number, max: number, kind: TextKind): string {
  const name = `text-${min}-${max}${kind === 'text' ? '' : `-${kind}`}`;
  if (!FormatRegistry.Has(name)) {
    FormatRegistry.Set(name, (value) => {
      if (!holds(kind, value)) return false;
      // UTF-16 length bounds code points on both sides.
      if (value.length < min || value.length > max * 2) return false;
      if (value.length <= max && value.length >= min * 2) return true;
      const length = codePointLength(value);
      return length >= min && length <= max;
    });
  }
  return name;
}

const WITHOUT_NUL = '^[^\\u0000]*$';
const NOT_ONLY_BLANKS = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

const EXCEPT: Readonly<Record<TextKind, string>> = {
  any: '',
  device: ' without NUL',
  text: ' without NUL and lone surrogates',
  name: ' without NUL and lone surrogates, not only blanks',
};

const textSchema =
  (kind: TextKind, shownPattern?: string) =>
  (min: number, max: number, options: StringOptions = {}): TString => {
    const except = kind === 'name' ? ', not only blanks' : '';
    const length = min === max ? `exactly ${min}` : `${min} to ${max}`;
    const pattern = kind === 'name' && min === 0 ? WITHOUT_NUL : shownPattern;
    return Type.String({
      description: `${min} to ${max} characters (Unicode code points)${except}`,
      rule: `must be ${length} characters${EXCEPT[kind]}`,
      ...options,
      format: lengthFormat(min, max, kind),
      shown: {
        ...(min > 0 && { minLength: min }),
        maxLength: max,
        ...(pattern !== undefined && options.pattern === undefined && { pattern }),
      },
    });
  };

/** TypeBox's `maxLength` counts an emoji twice. */
export const Text = textSchema('text', WITHOUT_NUL);

export const Name = textSchema('name', NOT_ONLY_BLANKS);

/** Apps truncate text anywhere. Never for ids: two could become one. */
export const DeviceText = textSchema('device', WITHOUT_NUL);

/** For verbatim text such as log messages. */
export const AnyText = textSchema('any');

/** Truncates at a character boundary. */
export function withinBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** No control characters (cursor, title, new lines). */
export function printable(text: string): string {
  return Bun.stripANSI(text).replaceAll(/\p{Cc}/gu, '');
}

/** As `printable`, but keeps line breaks and tabs. */
export function printableLines(text: string): string {
  return Bun.stripANSI(text).replaceAll(/(?!\r?\n|\t)\p{Cc}/gu, '');
}
