/** A value without a word of the model, kept as it came: `unlisted:7`. */
export type Unlisted = `unlisted:${string}`;

const PREFIX = 'unlisted:';
const isUnlisted = (word: string): word is Unlisted => word.startsWith(PREFIX);

export const listedOrNull = <Word extends string>(word: Word | Unlisted | null): Word | null =>
  word === null || isUnlisted(word) ? null : word;

/** Code in a store's answer, or in a row. */
export function wordCodes<Word extends string, Code extends string | number>(
  words: readonly Word[],
  codes: Readonly<Record<Word, NoInfer<Code>>>,
  parseCode: (text: string) => Code,
) {
  const byCode = new Map(words.map((word) => [codes[word], word]));
  return {
    toWord: (code: Code | null): Word | Unlisted | null =>
      code === null ? null : (byCode.get(code) ?? `unlisted:${code}`),
    toCode: (word: Word | Unlisted | null): Code | null => {
      if (word === null) return null;
      return isUnlisted(word) ? parseCode(word.slice(PREFIX.length)) : codes[word];
    },
  };
}
