import { expect, test } from 'bun:test';
import { readSources } from '../../support/sources.ts';

/** The console is left out: a client of the interface, whose fields are named by it. */
const sources = readSources('{src,workflows,activities}/**/*.{ts,tsx}').filter(
  ({ path }) => !path.startsWith('src/console/'),
);

const ROOM = /^src\/modules\/purchases\/app-store\//;
const PROVIDER = /^src\/providers\/store-server\//;
const MAPPING = /^src\/modules\/purchases\/model\/stored\.ts$/;
/** Schemas and examples of requests, answers, files and webhooks. */
const WIRE =
  /^src\/modules\/(purchases\/(model\/(wire|grant)|customers\/model|import\/model|overview\/recent\.model)|webhooks\/examples)\.ts$/;
/** Makes up what the store would have signed. */
const DEMO = /^src\/demo\//;

type Word = { name: string; found: RegExp; homes: readonly RegExp[] };

const WORDS: readonly Word[] = [
  {
    name: 'originalTransactionId',
    found: /originalTransactionId/,
    // Histories hold the field of this activity's input.
    homes: [ROOM, PROVIDER, MAPPING, WIRE, DEMO, /^workflows\/purchase-notification\.ts$/],
  },
  {
    name: 'environments',
    found: /['"`](Production|Sandbox)['"`]/,
    homes: [
      ...[ROOM, PROVIDER, WIRE, DEMO],
      // The one list of both, of rows and of the interface.
      /^src\/shared\/environment\.ts$/,
      // Histories hold the input of its activities; a workflow imports no values.
      /^workflows\/purchase-recovery\.ts$/,
    ],
  },
  {
    name: 'offers, plans and product types',
    found:
      /['"`](FREE_TRIAL|PAY_UP_FRONT|PAY_AS_YOU_GO|MONTHLY|BILLED_UPFRONT|FAMILY_SHARED|Auto-Renewable Subscription)['"`]/,
    // Google's phases have two of these names.
    homes: [ROOM, PROVIDER, MAPPING, DEMO, /^src\/providers\/play-store\/map\.ts$/],
  },
  {
    name: "the store's names of codes",
    found:
      /\b(offerType|offerDiscountType|expirationIntent|revocationReason|priceIncreaseStatus)\b/,
    homes: [
      ...[ROOM, PROVIDER, WIRE, DEMO],
      // `expirationIntent` of the interface, read as it is stored.
      /^src\/modules\/purchases\/customers\/queries\.ts$/,
    ],
  },
  {
    name: 'comparisons with codes',
    found: /\b\w*([sS]tatus|[iI]ntent|[oO]ffer|[rR]eason|[dD]iscount|[pP]lan)\s*[=!]==\s*-?\d/,
    // HTTP's, in words of the same name.
    homes: [ROOM, /^src\/(?!modules\/purchases\/|sql\/|lake\/|demo\/|shared\/purchase)/],
  },
  {
    name: 'readings of a trial',
    found: /\.freeTrial\b|>\s*'freeTrial'|\bfreeTrial\b[^:?]*\}\s*[=:)]/,
    homes: [
      ...[/^src\/modules\/purchases\/ledger\/period\.ts$/, /^src\/storage\/purchase-period\.ts$/],
      // Reads the other store's field of this name.
      /^src\/providers\/play-store\/map\.ts$/,
      // Hands the field of the interface on.
      /^src\/modules\/purchases\/customers\/queries\.ts$/,
    ],
  },
  {
    name: 'import of the provider',
    found: /providers\/store-server\/|\.\/store-server\//,
    homes: [ROOM, PROVIDER, DEMO, /^src\/(app\/deps|context)\.ts$/],
  },
];

const isAtHome = ({ homes }: Word, path: string) => homes.some((home) => home.test(path));

const found = (word: Word, texts: readonly { path: string; lines: readonly string[] }[]) =>
  texts
    .filter(({ path }) => !isAtHome(word, path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (word.found.test(line) ? [`${path}:${index + 1}`] : [])),
    );

test.each(WORDS)('no $name outside of the places that name them', (word) => {
  expect(found(word, sources)).toEqual([]);
  const all = { ...word, homes: [] };
  for (const home of word.homes.filter((one) => one.source.includes('\\.ts$'))) {
    const lines = found(all, sources).filter((line) => home.test(line.replace(/:\d+$/, '')));
    expect(lines, `${home.source} needs no exception`).not.toEqual([]);
  }
});

test('a word that strays is found', () => {
  const stray = [
    'const id = row.originalTransactionId;',
    "if (environment === 'Production') return;",
    "plan === 'MONTHLY'",
    'details.offerType',
    'digest.status === 2',
    'return transaction.freeTrial;',
    "import type { StoreServer } from '../../../providers/store-server/port.ts';",
  ];
  const path = 'src/modules/purchases/ledger/x.ts';
  for (const [index, word] of WORDS.entries()) {
    expect(found(word, [{ path, lines: stray }])).toContain(`${path}:${index + 1}`);
  }
});
