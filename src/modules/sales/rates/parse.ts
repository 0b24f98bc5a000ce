import { isIsoDate } from '../../../shared/schema.ts';

export type Rate = { day: string; currency: string; rate: string };

export class RatesFormatError extends Error {
  override readonly name = 'RatesFormatError';
}

const ROWS_MAX = 20_000;
const POSITIVE_DECIMAL = /^\d{1,12}(?:\.\d{1,12})?$/;

function cellRate(day: string, currency: string, cell: string): Rate | null {
  if (cell === '' || cell === 'N/A') return null;
  if (!POSITIVE_DECIMAL.test(cell) || Number(cell) === 0) {
    throw new RatesFormatError(
      `${day} ${currency}: ${JSON.stringify(cell.slice(0, 20))} is no rate.`,
    );
  }
  return { day, currency, rate: cell };
}

/**
 * The ECB's history: `Date,USD,JPY,…`, any order, `N/A` for a missing quote. Throws
 * RatesFormatError.
 */
export function parseRates(text: string): Rate[] {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const [first, ...currencies] = header.split(',').map((name) => name.trim());
  if (first !== 'Date') throw new RatesFormatError('The first column is not "Date".');
  const wrong = currencies.find((code) => code !== '' && !/^[A-Z]{3}$/.test(code));
  if (wrong !== undefined) throw new RatesFormatError(`"${wrong}" is not a currency.`);
  if (lines.length > ROWS_MAX) throw new RatesFormatError(`Over ${ROWS_MAX} days.`);
  const rates: Rate[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    const [day = '', ...cells] = line.split(',').map((cell) => cell.trim());
    if (!isIsoDate(day)) throw new RatesFormatError(`"${day.slice(0, 20)}" is not a day.`);
    currencies.forEach((currency, index) => {
      const rate = currency === '' ? null : cellRate(day, currency, cells[index] ?? '');
      if (rate) rates.push(rate);
    });
  }
  return rates;
}
