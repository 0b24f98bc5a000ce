import type { Command } from './command.ts';
import { optionName } from './options.ts';

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}

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

export function usage(
  { name, summary, input, positionals }: Command,
  program = 'bun run admin',
): string {
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
