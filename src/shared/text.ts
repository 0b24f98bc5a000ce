import { FormatRegistry, type StringOptions, type TString, Type } from '@sinclair/typebox';

/** Length in Unicode code points, the unit of every length limit of the contract. */
export function codePointLength(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A nullable text of a row whose columns have no types of their own. */
export const textOrNull = (value: unknown): string | null =>
  value === null ? null : String(value);

const NUL = '\u0000';

/** Text of another system as PostgreSQL can keep it: without NUL. */
export const withoutNul = (text: string): string => text.replaceAll(NUL, '');

function lengthFormat(min: number, max: number, allowsNul: boolean): string {
  const name = `text-${min}-${max}${allowsNul ? '-any' : ''}`;
  if (!FormatRegistry.Has(name)) {
    FormatRegistry.Set(name, (value) => {
      if (!allowsNul && value.includes(NUL)) return false;
      // The UTF-16 length bounds the code points from both sides, so most strings need no count.
      if (value.length < min || value.length > max * 2) return false;
      if (value.length <= max && value.length >= min * 2) return true;
      const length = codePointLength(value);
      return length >= min && length <= max;
    });
  }
  return name;
}

const OWN_FORMAT = /^(text|integer)-(\d+)-(\d+)(-any)?$/;

/** The bounds that a format of this service stands for; null for any other format. */
export function ownFormat(format: unknown) {
  const found = typeof format === 'string' ? OWN_FORMAT.exec(format) : null;
  if (!found) return null;
  const [, kind, min, max, any] = found;
  return { kind, min: Number(min), max: Number(max), any: any !== undefined };
}

/**
 * A string of `min` to `max` Unicode code points without NUL. TypeBox's own `maxLength` counts
 * UTF-16 units, so an emoji would count twice.
 */
export function Text(min: number, max: number, options: StringOptions = {}): TString {
  return Type.String({
    description: `${min} to ${max} characters (Unicode code points)`,
    ...options,
    format: lengthFormat(min, max, false),
  });
}

/** As `Text`, but any character goes, NUL too: for what is kept as it is said, such as a log message. */
export function AnyText(min: number, max: number, options: StringOptions = {}): TString {
  return Type.String({
    description: `${min} to ${max} characters (Unicode code points)`,
    ...options,
    format: lengthFormat(min, max, true),
  });
}

/** One line for a terminal: nothing in it moves the cursor, changes the title or begins a new line. */
export function printable(text: string): string {
  return Bun.stripANSI(text).replaceAll(/\p{Cc}/gu, '');
}

/** The same for text of several lines, with its tabs. */
export function printableLines(text: string): string {
  return Bun.stripANSI(text).replaceAll(/(?!\r?\n|\t)\p{Cc}/gu, '');
}
