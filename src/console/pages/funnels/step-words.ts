import { upper } from '../../format.ts';
import { funnels as t } from '../../texts/funnels.ts';

export type StepWords = ReturnType<typeof t.other>;

/** The label that an event has by itself: "App opened". */
const ownLabel = (event: string): string => upper(event.replaceAll('_', ' '));

const isKnown = (event: string): event is keyof typeof t.known => Object.hasOwn(t.known, event);

/** Its own label where it has one or takes only some of its events. */
export function stepWords(step: { event: string; label: string; where?: unknown }): StepWords {
  const { event, label, where } = step;
  const isPlain = !where && (label === event || label === ownLabel(event));
  return isKnown(event) && isPlain ? t.known[event] : t.other(label);
}

const HEAD_LETTERS = 28;

export const headOr = (words: string, short: string): string =>
  words.length > HEAD_LETTERS ? short : upper(words);
