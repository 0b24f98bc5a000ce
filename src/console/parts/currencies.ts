/** Currencies to show amounts in, for a choice. */
export const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'CAD',
  'AUD',
  'CHF',
  'BRL',
  'INR',
  'CNY',
].map((currency) => [currency, currency] as const);
