import { exactNumber } from '../format.ts';
import { counted } from './counted.ts';

const range = (min: number | undefined, max: number | undefined): string => {
  if (max === undefined) return `at least ${exactNumber(min ?? 0)}`;
  return min === undefined
    ? `at most ${exactNumber(max)}`
    : `from ${exactNumber(min)} to ${exactNumber(max)}`;
};

export const form = {
  number: (label: string) => `${label} must be a number.`,
  whole: (label: string) => `${label} must be a whole number.`,
  range: (label: string, min?: number, max?: number) => `${label} must be ${range(min, max)}.`,
  long: (label: string, length: number, most: number) =>
    `${label} has ${counted(length, 'character', 'characters')}; at most ${exactNumber(most)} fit.`,
  short: (label: string, least: number) =>
    `${label}: at least ${counted(least, 'character', 'characters')}.`,
  address: (label: string) => `${label} must be a whole address, such as ann@example.com.`,
  quoted: (label: string) => `${label} is in quotes. Remove them.`,
  rule: (label: string, rule: string) => `${label} ${rule}.`,
} as const;
