import type { Picked } from '../../state/ask-people.ts';
import { type Days, isDay } from '../../state/days.ts';

export type Listed = {
  step: number;
  kind: 'stopped' | 'reached';
  of: string | undefined;
  /** Where fewer than the range. */
  entered: Days | undefined;
};

function enteredOf(text = ''): Days | undefined {
  const [from = '', to = ''] = text.split('..');
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined;
}

export function listedOf(
  query: Readonly<Record<string, string | undefined>>,
  picked?: Picked,
): Listed | undefined {
  if (query.step === undefined && picked?.figure.of === 'step') {
    const { step, dropped } = picked.figure;
    return {
      step,
      kind: dropped ? 'stopped' : 'reached',
      of: picked.values[0],
      entered: undefined,
    };
  }
  const step = Number(query.step);
  if (!Number.isInteger(step) || step < 1) return undefined;
  return {
    step,
    kind: query.list === 'reached' ? 'reached' : 'stopped',
    of: query.of,
    entered: enteredOf(query.entered),
  };
}

const NOT_LISTED = {
  behind: undefined,
  step: undefined,
  list: undefined,
  of: undefined,
  entered: undefined,
};

export const listedParameters = (listed: Listed | undefined) =>
  listed
    ? {
        behind: undefined,
        step: String(listed.step),
        list: listed.kind === 'reached' ? 'reached' : undefined,
        of: listed.of,
        entered: listed.entered && `${listed.entered.from}..${listed.entered.to}`,
      }
    : NOT_LISTED;
