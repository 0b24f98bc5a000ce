import { exactNumber, upper } from '../format.ts';

const rules = new Intl.PluralRules('en');

export const counted = (
  count: number,
  one: string,
  many: string,
  show: (count: number) => string = exactNumber,
): string => `${show(count)} ${rules.select(count) === 'one' ? one : many}`;

export const eventsRead = (from: number | undefined): string =>
  from === undefined ? 'events' : `from ${counted(from, 'event', 'events')}`;

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

export const inWords = (count: number): string => WORDS[count] ?? exactNumber(count);

export const inWordsFirst = (count: number): string => upper(inWords(count));
