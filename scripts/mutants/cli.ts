import { parseArgs } from 'node:util';
import { ROOT } from '../install.ts';
import { RULES } from './rules.ts';
import { runMutants } from './run.ts';

const USAGE = `bun run mutants [--seed N] [--count N] [--file PART] [--verbose]
Changes rule files a little and runs their tests (scripts/mutants/rules.ts). Prints how many
changes the tests notice, and each that survives. --count 0 tries all; --file takes the rule files
whose path has PART in it.`;

export async function mutantsCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '100' },
      file: { type: 'string', default: '' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const rules = Object.fromEntries(
    Object.entries(RULES).filter(([file]) => file.includes(values.file)),
  );
  if (values.help || Object.keys(rules).length === 0) {
    console.log(USAGE);
    return values.help ? 0 : 1;
  }
  const { tried, noticed, survivors } = await runMutants({
    root: ROOT,
    rules,
    seed: Number(values.seed),
    count: Number(values.count) || Number.POSITIVE_INFINITY,
    ...(values.verbose && { report: (line: string) => console.log(line) }),
  });
  for (const survivor of survivors) console.log(`survived  ${survivor}`);
  console.log(`${noticed} of ${tried} changes noticed`);
  return 0;
}
