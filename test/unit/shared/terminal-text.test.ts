import { describe, expect, test } from 'bun:test';
import { table } from '../../../src/admin/table.ts';
import { printAnswer } from '../../../src/admin/analyst/print.ts';
import { toCsv } from '../../../src/console/parts/csv.ts';
import { csvCell } from '../../../src/shared/csv.ts';
import { printable, printableLines } from '../../../src/shared/text.ts';

const TITLE = '\u001b]0;PWNED\u0007';
const FORGED = `Acme\u001b[2J${TITLE}\r\norg_1  forged\u009b31m`;

describe('what somebody else chose', () => {
  test('neither moves the cursor nor forges a row of a table', () => {
    const shown = table(['ID', 'NAME'], [['org_1', FORGED]]);
    expect(shown.split('\n')).toHaveLength(2);
    expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(printable(FORGED)).toStartWith('Acme');
  });

  test('keeps the lines and tabs of a text that has some', () => {
    expect(printableLines(`a\tb\r\nc\n${TITLE}\u001b[31md\re`)).toBe('a\tb\r\nc\nde');
  });

  test.each([
    ['x;=HYPERLINK("//evil")', `"x;'=HYPERLINK(""//evil"")"`],
    [' =1+1', `" '=1+1"`],
    ['\uFF1D1+1', `"'\uFF1D1+1"`],
    ['a\t=1', `"a\t'=1"`],
    ['a\n @x', `"a\n '@x"`],
    ['trial - paid', '"trial - paid"'],
    ['a;b', '"a;b"'],
  ])('%j is no formula in the columns of any spreadsheet', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
    expect(toCsv([[text]])).toBe(`${cell}\r\n`);
  });

  test('is no formula in a spreadsheet, and a number stays one', () => {
    const answer = { columns: ['x'], rows: [['=cmd|x'], ['-5'], [-5], ['@a,b']], isCut: false };
    expect(printAnswer(answer as any, 'csv')).toBe(`"x"\r\n"'=cmd|x"\r\n-5\r\n-5\r\n"'@a,b"`);
    expect(toCsv([['=cmd|x'], ['-5'], [-5], [null]])).toBe(`"'=cmd|x"\r\n-5\r\n-5\r\n\r\n`);
    expect(csvCell(null)).toBe('');
  });
});
