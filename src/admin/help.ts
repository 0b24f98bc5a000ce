import type { TObject } from '@sinclair/typebox';
import type { Command } from './command.ts';
import { optionName } from './options.ts';

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}

/** What `bun run admin --help` prints. */
export function overview(commands: readonly Command[]): string {
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

function placeholder(input: TObject, property: string): string {
  const schema = input.properties[property];
  if (schema?.type === 'boolean') return optionName(property);
  return `${optionName(property)} ${property.toUpperCase()}`;
}

/** What `bun run admin COMMAND --help` prints. */
export function usage({ name, summary, input, positionals }: Command): string {
  const required = new Set(input.required ?? []);
  const options = Object.keys(input.properties).filter((one) => !positionals.includes(one));
  const words = [
    ...positionals.map((one) => one.toUpperCase()),
    ...options.map((one) =>
      required.has(one) ? placeholder(input, one) : `[${placeholder(input, one)}]`,
    ),
  ];
  const rows = Object.entries(input.properties).map(
    ([property, schema]) =>
      [
        positionals.includes(property) ? property.toUpperCase() : optionName(property),
        schema.description ?? '',
      ] as const,
  );
  return [
    `Usage: bun run admin ${[name, ...words].join(' ')} [--json]`,
    '',
    summary,
    ...(rows.length > 0 ? ['', ...columns(rows)] : []),
  ].join('\n');
}
