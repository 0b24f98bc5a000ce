import { at, outside } from '../../../shared/assert.ts';

/** None that JSON escapes. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Bit of each digit of a number but its last, whose lowest bit is the sign. */
const GOES_ON = 32;

const values = new Uint8Array(128);
for (const [value, digit] of [...DIGITS].entries()) values[digit.charCodeAt(0)] = value;

/** Whole number of either sign as text, read in place by `DigitReader`. */
export function toDigits(number: number): string {
  const size = Math.abs(number);
  let text = at(DIGITS, (size % 16) * 2 + (number < 0 ? 1 : 0));
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / GOES_ON)) {
    text = at(DIGITS, GOES_ON + (rest % GOES_ON)) + text;
  }
  return text;
}

export class DigitReader {
  private text = '';
  private place = 0;

  open(text: string): void {
    this.text = text;
    this.place = 0;
  }

  get isAtEnd(): boolean {
    return this.place >= this.text.length;
  }

  take(): number {
    const { text } = this;
    let number = 0;
    for (;;) {
      const digit = values[text.charCodeAt(this.place)] ?? outside();
      this.place += 1;
      if (digit < GOES_ON) {
        number = number * 16 + (digit >> 1);
        return (digit & 1) === 0 ? number : -number;
      }
      number = number * GOES_ON + digit - GOES_ON;
    }
  }
}
