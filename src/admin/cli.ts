import type { SystemContext } from '../context.ts';
import { ConfigError } from '../shared/env.ts';
import { AppError, errorMessage } from '../shared/errors.ts';
import { printableLines } from '../shared/text.ts';
import { isDatabaseUnavailable, isReadOnlyServer } from '../storage/postgres.ts';
import type { Command } from './command.ts';
import { UsageError, optionName } from './options.ts';

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}

function overview(commands: readonly Command[]): string {
  const rows = commands
    .map((command) => [command.name, command.summary] as const)
    .toSorted(([a], [b]) => a.localeCompare(b));
  return [
    'Usage: bun run admin COMMAND [options]',
    '',
    ...columns(rows),
    '',
    'Every command takes --json (one JSON value on standard output) and --help.',
    'The service is found by its configuration, or by DATA_DIR where it runs embedded.',
    'Exit codes: 0 done, 1 failed, 2 the command line or the configuration is wrong.',
  ].join('\n');
}

function usage({ name, summary, input, positionals }: Command, program = 'bun run admin'): string {
  const options = Object.entries(input.properties)
    .filter(([property]) => !positionals.includes(property))
    .map(([property, { type }]) => {
      const value = type === 'boolean' ? '' : ` ${property.toUpperCase()}`;
      const option = `${optionName(property)}${value}`;
      return input.required?.includes(property) ? option : `[${option}]`;
    });
  const words = [
    program,
    name,
    ...positionals.map((property) =>
      input.required?.includes(property) ? property.toUpperCase() : `[${property.toUpperCase()}]`,
    ),
    ...options,
  ];
  const rows = Object.entries(input.properties).map(([property, { description = '' }]) => {
    const isPositional = positionals.includes(property);
    return [isPositional ? property.toUpperCase() : optionName(property), description] as const;
  });
  return [
    `Usage: ${words.filter((word) => word !== '').join(' ')} [--json]`,
    '',
    summary,
    ...(rows.length > 0 ? ['', ...columns(rows)] : []),
  ].join('\n');
}

export type Terminal = { out: (text: string) => void; err: (text: string) => void };

export type Connect = (
  command: Pick<Command, 'standsAlone'>,
) => Promise<{ ctx: SystemContext; close: () => Promise<void> }>;

const UNKNOWN_TABLE = new Set(['42P01', '3F000']);

const toParts = (name: string) => name.split(' ').filter((part) => part !== '');

/** Longest match: `backup verify` before `backup`. */
function find(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const [longest] = commands
    .filter(({ name }) => toParts(name).every((part, index) => words[index] === part))
    .toSorted((one, other) => other.name.length - one.name.length);
  return longest;
}

type Failure = { code: string; message: string; hint?: string };

function toFailure(thrown: unknown): Failure {
  if (thrown instanceof AppError) {
    const { code, message, hint } = thrown;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
  if (isDatabaseUnavailable(thrown)) {
    const [message, hint] = isReadOnlyServer(thrown)
      ? ['The database takes no writes.', 'Set DATABASE_URL to the primary.']
      : ['The database cannot be reached.', 'Start the service, or set DATABASE_URL.'];
    return { code: 'unavailable', message, hint };
  }
  if (thrown instanceof Error && 'code' in thrown && UNKNOWN_TABLE.has(String(thrown.code))) {
    return {
      code: 'unavailable',
      message: 'The database is not migrated.',
      hint: 'Run "bun run admin migrate".',
    };
  }
  return { code: 'internal', message: errorMessage(thrown) };
}

function report(terminal: Terminal, json: boolean, failure: Failure): void {
  const { message, hint } = failure;
  const text = hint === undefined ? message : `${message}\n${hint}`;
  terminal.err(json ? JSON.stringify({ error: failure }) : text);
}

/** Exit codes: 0 done, 1 failed, 2 wrong command line or configuration. */
export async function runCli(
  commands: readonly Command[],
  argv: readonly string[],
  {
    terminal,
    connect,
    program = 'bun run admin',
  }: { terminal: Terminal; connect: Connect; program?: string },
): Promise<number> {
  const json = argv.includes('--json');
  const words = argv.filter((word) => word !== '--json');
  const command = find(commands, words);
  const wantsHelp = words.includes('--help') || words.includes('-h');
  if (wantsHelp || (words.length === 0 && command?.name !== '')) {
    terminal.out(command ? usage(command, program) : overview(commands));
    return 0;
  }
  try {
    if (!command) throw new UsageError(`There is no command "${words.join(' ')}".`);
    const run = command.prepare(words.slice(toParts(command.name).length));
    const { ctx, close } = await connect(command);
    try {
      const { data, text } = await run(ctx);
      terminal.out(json ? JSON.stringify(data) : printableLines(text));
      return 0;
    } finally {
      await close();
    }
  } catch (thrown) {
    if (thrown instanceof UsageError || thrown instanceof ConfigError) {
      const name = command && command.name !== '' ? `${command.name} ` : '';
      const help = `See "${program} ${name}--help".`;
      report(terminal, json, { code: 'usage', message: thrown.message, hint: help });
      return 2;
    }
    report(terminal, json, toFailure(thrown));
    return 1;
  }
}
