import { funnels as t } from '../../texts/funnels.ts';

export type StepWords = ReturnType<typeof t.other>;

const isKnown = (event: string): event is keyof typeof t.known => Object.hasOwn(t.known, event);

/** The words of a step; one that counts only some of its events has its label alone. */
export function stepWords(step: { event: string; label: string; where?: unknown }): StepWords {
  return isKnown(step.event) && !step.where ? t.known[step.event] : t.other(step.label);
}

/** The same as the beginning of a sentence. */
export const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
