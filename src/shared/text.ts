import { FormatRegistry, type StringOptions, type TString, Type } from '@sinclair/typebox';

/** Length in Unicode code points, the unit of every length limit of the contract. */
export function codePointLength(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * One character for patterns, which count UTF-16 units: a pair of surrogates, or any other but those
 * left out. Reads the same where a pattern counts code points.
 */
export const onePattern = (without = ''): string =>
  `(?:[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]|[^\\uD800-\\uDFFF${without}])`;

/** A nullable text of a row whose columns have no types of their own. */
export const textOrNull = (value: unknown): string | null =>
  value === null ? null : String(value);

/** A count with what belongs to it: "1 person", "8 people". */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const NUL = '\u0000';

/** Text of another system as PostgreSQL can keep it: without NUL. */
export const withoutNul = (text: string): string => text.replaceAll(NUL, '');

/**
 * What a text may hold besides its length: `any` every character; `device` all but NUL; `text` also
 * no half of a surrogate pair, which would be stored as another character; `name` also something
 * that can be seen.
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
      // The UTF-16 length bounds the code points from both sides, so most strings need no count.
      if (value.length < min || value.length > max * 2) return false;
      if (value.length <= max && value.length >= min * 2) return true;
      const length = codePointLength(value);
      return length >= min && length <= max;
    });
  }
  return name;
}

const OWN_FORMAT = /^(text|integer)-(\d+)-(\d+)(?:-(any|device|name))?$/;

/** The bounds that a format of this service stands for; null for any other format. */
export function ownFormat(format: unknown) {
  const found = typeof format === 'string' ? OWN_FORMAT.exec(format) : null;
  if (!found) return null;
  const [, kind, min, max, text = 'text'] = found;
  return { kind, min: Number(min), max: Number(max), text };
}

const textSchema =
  (kind: TextKind, rule = '') =>
  (min: number, max: number, options: StringOptions = {}): TString =>
    Type.String({
      description: `${min} to ${max} characters (Unicode code points)${rule}`,
      ...options,
      format: lengthFormat(min, max, kind),
    });

/**
 * A string of `min` to `max` Unicode code points without NUL and lone surrogates. TypeBox's own
 * `maxLength` counts UTF-16 units, so an emoji would count twice.
 */
export const Text = textSchema('text');

/** As `Text`, and not only blanks: what people call a thing by. */
export const Name = textSchema('name', ', not only blanks');

/**
 * As `Text`, but lone surrogates go: shipped apps cut texts as they do, and a batch must not fail.
 * Never an id: two of them could become one.
 */
export const DeviceText = textSchema('device');

/** As `Text`, but any character goes, NUL too: for what is kept as it is said, such as a log message. */
export const AnyText = textSchema('any');

/** The text, cut behind a whole character so that it takes at most so many bytes. */
export function withinBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** One line for a terminal: nothing in it moves the cursor, changes the title or begins a new line. */
export function printable(text: string): string {
  return Bun.stripANSI(text).replaceAll(/\p{Cc}/gu, '');
}

/** The same for text of several lines, with its tabs. */
export function printableLines(text: string): string {
  return Bun.stripANSI(text).replaceAll(/(?!\r?\n|\t)\p{Cc}/gu, '');
}
