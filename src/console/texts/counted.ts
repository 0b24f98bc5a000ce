import { exactNumber } from '../format.ts';

const rules = new Intl.PluralRules('en');

/** A count with what belongs to it: "1 event", "1,204 events". */
export const counted = (
  count: number,
  one: string,
  many: string,
  show: (count: number) => string = exactNumber,
): string => `${show(count)} ${rules.select(count) === 'one' ? one : many}`;
