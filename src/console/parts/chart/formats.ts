import { exactNumber, rate, roundMoney, roundRate, shortNumber, wholeMoney } from '../../format.ts';
import type { Format } from './types.ts';

export const COUNTS = { show: exactNumber, tick: shortNumber, isWhole: true } satisfies Format;
export const GOOD_COUNTS = { ...COUNTS, goodWhen: 'up' } satisfies Format;
export const RATES = { show: rate, tick: roundRate } satisfies Format;
export const GOOD_RATES = { ...RATES, goodWhen: 'up' } satisfies Format;

export const moneyFormat = (currency: string): Format => ({
  show: (amount) => wholeMoney(amount, currency),
  tick: (amount) => roundMoney(amount, currency),
  goodWhen: 'up',
});
