const FROM_THE_RIGHT = /^(ar|arc|ckb|dv|fa|he|iw|ks|ps|sd|ug|ur|yi)\b/;
/** As the reader writes; English for countries that write from the right. */
export const localeOf = (language: string): string =>
  FROM_THE_RIGHT.test(language)
    ? new Intl.Locale(language, { language: 'en' }).toString()
    : language;
export const locale = localeOf(navigator.language);

const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const change = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Keeps its order whichever way the name is written. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;

export const UNKNOWN = '–';

export const shortNumber = (value: number): string =>
  Math.abs(value) < 10_000 ? exact.format(value) : short.format(value);
export const exactNumber = (value: number): string => exact.format(value);
export const rate = (value: number | null): string =>
  value === null ? UNKNOWN : percent.format(value);

const onePoint = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
/** In percent without the sign: 5.3–7.0. */
export const rateInterval = (low: number, high: number): string =>
  `${onePoint.format(low * 100)}–${onePoint.format(high * 100)}`;

const shortPercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
export const roundRate = (value: number): string =>
  shortPercent.format(value < 0.1 ? value : Math.round(value * 100) / 100);

export const changeSize = (value: number): string => shortPercent.format(Math.abs(value));

const currencyFormat = (currency: string, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, ...options });

/** A currency without smaller units is its own smallest. */
export function wholeUnits(minor: number, currency: string): number {
  const digits = currencyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2;
  return minor / 10 ** digits;
}

/** `minor` in the smallest unit of its currency. */
export const money = (minor: number, currency: string): string =>
  wholeMoney(wholeUnits(minor, currency), currency);

export const wholeMoney = (amount: number, currency: string): string =>
  currencyFormat(currency).format(amount);

export const roundMoney = (amount: number, currency: string): string =>
  currencyFormat(currency, { trailingZeroDisplay: 'stripIfInteger' }).format(amount);

export const currencySigns = (amounts: readonly { currency: string }[]): string =>
  amounts
    .map(
      ({ currency }) =>
        currencyFormat(currency, { currencyDisplay: 'narrowSymbol' })
          .formatToParts(0)
          .find(({ type }) => type === 'currency')?.value ?? currency,
    )
    .join(', ');

export const roundAmounts = (
  amounts: readonly { currency: string; proceedsMinor: number }[],
): string =>
  amounts
    .map(({ currency, proceedsMinor }) =>
      roundMoney(Math.round(wholeUnits(proceedsMinor, currency)), currency),
    )
    .join(' + ');

export const when = (iso: string): string => dateTime.format(new Date(iso));
const second = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' });
export const whenExactly = (iso: string): string => second.format(new Date(iso));
export const timeOfDay = (iso: string): string => clock.format(new Date(iso));

/** Such as "23 Nov, 05:33 UTC+1". */
export const whenInZone = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(iso));

/** As the store names it, whatever the reader's zone. */
export const calendarDay = (iso: string): string => day.format(new Date(`${iso}T00:00:00Z`));

const dayAndMonth = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
/** No second full stop after a short month. */
const withoutStop = (text: string): string => text.replace(/\.$/, '');
export const shortDay = (iso: string): string =>
  withoutStop(dayAndMonth.format(new Date(`${iso}T00:00:00Z`)));

const year = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const midnight = (iso: string): Date => new Date(`${iso}T00:00:00Z`);

export function dayRange(from: string, to: string): string {
  const thisYear = String(new Date().getFullYear());
  const isThisYear = from.startsWith(thisYear) && to.startsWith(thisYear);
  return withoutStop((isThisYear ? dayAndMonth : year).formatRange(midnight(from), midnight(to)));
}

const weekday = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
export const dayWithWeekday = (iso: string): string =>
  withoutStop(weekday.format(midnight(iso)).replace(',', ''));

export const monthName = (iso: string): string => month.format(new Date(`${iso}-01T00:00:00Z`));

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function since(iso: string, format: Intl.RelativeTimeFormat): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1_000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return format.format(Math.round(seconds / size), unit);
}

export const ago = (iso: string): string => since(iso, relative);

const shortRelative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
/** The same where there is little room: "2 min ago". */
export const shortAgo = (iso: string): string => since(iso, shortRelative).replace('.', '');

const inUnit = (value: number, unit: string, digits: number) =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value);

const SHORT_SECONDS = 120;
const HOUR_SECONDS = 3_600;

export function duration(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  if (seconds < SHORT_SECONDS) return inUnit(seconds, 'second', seconds < 10 ? 1 : 0);
  if (seconds < HOUR_SECONDS) {
    const rest = Math.round(seconds % 60) % 60;
    const minutes = inUnit(Math.round((seconds - rest) / 60), 'minute', 0);
    return rest === 0 ? minutes : `${minutes} ${inUnit(rest, 'second', 0)}`;
  }
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['second', 1];
  return inUnit(seconds / size, unit, 1);
}

const MANIFOLD = 10;

export const signedRate = (value: number): string =>
  value < MANIFOLD ? change.format(value) : `× ${exact.format(Math.round(1 + value))}`;

const points = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

export const signedPoints = (difference: number): string => points.format(difference * 100);

const signedCount = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
export const signedNumber = (difference: number): string => signedCount.format(difference);

export const signedMoney = (minor: number, currency: string): string =>
  `${minor > 0 ? '+' : ''}${money(minor, currency)}`;

const momentOf = (timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    ...options,
  });

export function momentIn(iso: string, timeZone: string): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return momentOf(timeZone, isThisYear ? {} : { year: 'numeric' }).format(date);
}

export const dayIn = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    dateStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso));

const gigabyte = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'gigabyte',
  maximumFractionDigits: 1,
});
export const gigabytes = (bytes: number): string => gigabyte.format(bytes / 1e9);

export const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
