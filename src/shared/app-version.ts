/** Then a pre-release or a build. Clients may send any text. */
export const VERSION_PATTERN = '^v?([0-9]{1,15}(?:\\.[0-9]{1,15})*)([-+ (][0-9A-Za-z_.+() -]*)?$';
const VERSION = new RegExp(VERSION_PATTERN);

const byDigits = new Intl.Collator('en', { numeric: true });

/** Its letter says how long a number is. */
const LENGTH_ORIGIN = 64;

type Parsed = { numbers: readonly number[]; rest: string };

function parse(text: string): Parsed | null {
  const [, numbers, rest = ''] = VERSION.exec(text) ?? [];
  return numbers === undefined ? null : { numbers: numbers.split('.').map(Number), rest };
}

export const isVersion = (text: string): boolean => parse(text) !== null;

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const rank = ({ rest }: Parsed): number => (rest === '' ? 1 : rest.startsWith('-') ? 0 : 2);

/** 2.9, 2.10-beta, 2.10, 2.10 (7). Other texts first. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)];
  if (!a || !b) return Number(a !== null) - Number(b !== null) || byDigits.compare(one, other);
  return (
    compareNumbers(a.numbers, b.numbers) ||
    rank(a) - rank(b) ||
    byDigits.compare(a.rest, b.rest) ||
    byDigits.compare(one, other)
  );
}

export function versionKey(text: string): string | null {
  const parsed = parse(text);
  if (!parsed) return null;
  const numbers = parsed.numbers.map(String);
  while (numbers.length > 1 && numbers.at(-1) === '0') numbers.pop();
  const ordered = numbers.map((number) => {
    const digits = number === '0' ? '' : number;
    return String.fromCharCode(LENGTH_ORIGIN + digits.length) + digits;
  });
  return `${ordered.join('.')}!${rank(parsed)}`;
}
