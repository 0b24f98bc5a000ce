/** Not drawn, or changes how the characters beside it are drawn. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Joins or colours the sign before it. */
const OF_A_SIGN = /^[\u200d\ufe0f]$/;
const SIGN = /^(?:\p{Extended_Pictographic}|\ufe0f)$/u;

function isUnseen(characters: readonly string[], index: number): boolean {
  const [before = '', one = '', after = ''] = [-1, 0, 1].map((by) => characters[index + by]);
  if (/\p{Zs}/u.test(one)) return one !== ' ' || before === '' || after === '' || before === ' ';
  // Otherwise it could not be told from one of ours.
  if (one === '\\') return after === 'u' && characters[index + 2] === '{';
  if (OF_A_SIGN.test(one) && SIGN.test(before)) return false;
  return UNSEEN.test(one);
}

const escaped = (one: string) => `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`;

/** Unseen characters and joined blanks as `\u{…}`. */
export function visible(id: string): string {
  const characters = [...id];
  return characters
    .map((one, index) => (isUnseen(characters, index) ? escaped(one) : one))
    .join('');
}
