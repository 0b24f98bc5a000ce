import { parseArgs } from 'node:util';

export const USAGE = `bun run test [PATH …] [-t PATTERN]
PATH is a file, a folder, or a part of a path. Without one, every suite runs.
--times prints the fifty files that took the most processor time, and their waits; --times=all, all.
--repeat=N runs everything N times. --shuffle runs the files in a random order, --seed=N in the order
of an earlier run. --beside=N keeps N processes busy meanwhile. --delay pauses at random before each
message to and from PostgreSQL and Temporal. --pooler puts a PgBouncer in transaction mode before
PostgreSQL.
--record keeps the seconds of each file in scripts/test/seconds.json: the longest begin first.
TEST_FULL=1 runs the crash tests with their full counts; TEST_CONTAINERS=1 uses Docker.`;

export type Options = {
  paths: string[];
  flags: string[];
  help: boolean;
  record: boolean;
  times: string | undefined;
  repeat: number;
  shuffle: boolean;
  seed: number;
  beside: number;
  delay: boolean;
  pooler: boolean;
};

function wholeNumber(name: string, value: string | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} takes a whole number, not "${value}".`);
  return Number(value);
}

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    // `parseArgs` knows no option with a value that may be omitted.
    args: args.map((arg) => (arg === '--times' ? '--times=slowest' : arg)),
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      'test-name-pattern': { type: 'string', short: 't' },
      record: { type: 'boolean' },
      times: { type: 'string' },
      repeat: { type: 'string' },
      shuffle: { type: 'boolean' },
      seed: { type: 'string' },
      beside: { type: 'string' },
      delay: { type: 'boolean' },
      pooler: { type: 'boolean' },
    },
  });
  const pattern = values['test-name-pattern'];
  return {
    paths: positionals,
    flags: pattern === undefined ? [] : ['--test-name-pattern', pattern],
    help: values.help === true,
    record: values.record === true,
    times: values.times,
    repeat: wholeNumber('repeat', values.repeat, 1),
    shuffle: values.shuffle === true || values.seed !== undefined,
    seed: wholeNumber('seed', values.seed, Date.now() % 1_000_000),
    beside: wholeNumber('beside', values.beside, 0),
    delay: values.delay === true,
    pooler: values.pooler === true,
  };
}

/** The command that runs the same files in the same order, under the same load. */
export function repeatCommand(options: Options): string {
  const { paths, flags, shuffle, seed, beside, delay, pooler } = options;
  const extra = [
    ...(flags.length > 0 ? [`-t ${JSON.stringify(flags.at(-1))}`] : []),
    ...(shuffle ? [`--seed=${seed}`] : []),
    ...(beside > 0 ? [`--beside=${beside}`] : []),
    ...(delay ? ['--delay'] : []),
    ...(pooler ? ['--pooler'] : []),
  ];
  return ['bun run test', ...paths, ...extra].join(' ');
}
