export type Findable = {
  text: string;
  detail?: string;
  keywords?: readonly string[];
};

const WHOLE = 8;
const BEGINNING = 5;
const WORD = 3;
const INSIDE = 1;
const IN_DETAIL = 0.5;

const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function matchOf(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (text === word) return WHOLE;
  if (at === 0) return BEGINNING;
  return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? INSIDE : WORD;
}

function scoreOf(one: Findable, words: readonly string[]): number {
  const text = plain(one.text);
  const rest = plain([one.detail ?? '', ...(one.keywords ?? [])].join(' '));
  let sum = 0;
  for (const word of words) {
    const score = Math.max(matchOf(text, word), matchOf(rest, word) * IN_DETAIL);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

/** Every word occurs; equals stay in order. */
export function rank<T extends Findable>(all: readonly T[], typed: string): T[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...all];
  return all
    .map((one) => ({ one, score: scoreOf(one, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ one }) => one);
}

/** Long, with a digit, in one piece. */
export const looksLikeId = (typed: string): boolean => /^(?=\S*\d)\S{6,}$/.test(typed.trim());
