import { isNoId } from '../../src/shared/identity.ts';
import { codePointLength } from '../../src/shared/text.ts';

/** What means something in a path, a query, a CSV, a mail, a shell, SQL, HTML or a log. */
const PIECES = [
  ...[
    '.',
    '..',
    './',
    '../',
    '..\\',
    '/',
    '//',
    '\\',
    '%2e',
    '%2e%2e',
    '%2F',
    '%',
    '%%',
    '%zz',
    '%00',
  ],
  ...[
    '?',
    '#',
    '&',
    '=',
    '+',
    ';',
    ',',
    ':',
    '@',
    '!',
    '*',
    '~',
    '|',
    '^',
    '{',
    '}',
    '[',
    ']',
    '-',
  ],
  ...['?personId=bob', '&personId=bob', '#bob', '/erase', '/keys', '/../../apps', '/%2e%2e/x'],
  ...[
    '"',
    "'",
    '`',
    "''",
    '""',
    '=1+1',
    '=HYPERLINK("//evil")',
    '+1',
    '-1',
    '@SUM(A1)',
    ';=1',
    '\t=1',
  ],
  ...['\r\nBcc: bob@example.com', '\nSubject: x', '<bob@example.com>', 'a@b.example', 'To:'],
  ...[
    '$(id)',
    '`id`',
    '$HOME',
    '; rm -rf /',
    '| cat',
    '&& id',
    '-X',
    '--',
    '~root',
    '!!',
    '*.md',
    '\\n',
  ],
  ...[
    "'; DROP TABLE apps; --",
    "' OR '1'='1",
    '%_',
    '_',
    '$1',
    '?::text',
    "E'\\x00'",
    '\\000',
    '--x',
  ],
  ...['<script>', '</script>', '<img src=x>', '&amp;', '&#46;', 'javascript:x', '{{x}}', '#{x}'],
  ...[
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'true',
    '0',
    '1e3',
    'NaN',
    '[object Object]',
  ],
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\r',
    '\u00a0',
    '\u2003',
    '\ufeff',
    '\u200b',
    '\u202e',
    '\u2028',
    '\u0001',
    '\u007f',
  ],
  ...[
    'é',
    'e\u0301',
    'ß',
    'SS',
    'İ',
    'ı',
    'K',
    '\u212a',
    '．．',
    '／',
    '＝',
    '🦊',
    '👩‍👩‍👧',
    '\u{10ffff}',
    '中',
  ],
  ...[
    'a',
    'A',
    'bob',
    'BOB',
    'by-id',
    'person',
    'people',
    'export',
    'customer',
    'grants',
    'app_',
    'me',
  ],
];

const fits = (id: string) => {
  const length = codePointLength(id);
  return length >= 1 && length <= 128 && !isNoId(id);
};

/** What a path resolves, what a decoder takes away, and what a page does not show. */
const ALWAYS = ['.', '..', '\ufeff.', '\ufeffbob', 'bob', ' .'];

/** So many different ids: each piece alone, the longest, then pieces behind each other. */
export function troubleIds(count: number, random: () => number): string[] {
  const long = ['🦊', '.', '/'].map((sign) => sign.repeat(128));
  const ids = new Set<string>([...PIECES, ...long].filter(fits));
  const piece = () => PIECES[Math.floor(random() * PIECES.length)] ?? '';
  while (ids.size < count) {
    const id = Array.from({ length: 2 + Math.floor(random() * 4) }, piece).join('');
    if (fits(id)) ids.add(id);
  }
  // A short run takes some of every kind.
  const rest = [...ids].filter((id) => !ALWAYS.includes(id));
  const others = count - ALWAYS.length;
  const step = rest.length / others;
  return [...ALWAYS, ...Array.from({ length: others }, (_, n) => rest[Math.floor(n * step)] ?? '')];
}
