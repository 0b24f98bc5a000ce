import { parseArgs } from 'node:util';
import type { TObject, TSchema } from '@sinclair/typebox';
import { errorMessage } from '../shared/errors.ts';

/** Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** `storeAppId` to `--store-app-id`. */
export function optionName(property: string): string {
  return `--${property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function convert(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') {
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  }
  if (schema.type === 'array') {
    return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  }
  return text;
}

function parse(
  input: TObject,
  positionals: readonly string[],
  words: readonly string[],
): { values: Record<string, unknown>; positionals: string[] } {
  const options = Object.entries(input.properties)
    .filter(([property]) => !positionals.includes(property))
    .map(([property, { type }]) => [
      optionName(property).slice(2),
      { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]);
  try {
    return parseArgs({
      args: [...words],
      options: Object.fromEntries(options),
      allowPositionals: positionals.length > 0,
    });
  } catch (thrown) {
    throw new UsageError(errorMessage(thrown));
  }
}

export function readOptions(
  input: TObject,
  positionals: readonly string[],
  words: readonly string[],
): Record<string, unknown> {
  const { values, positionals: bare } = parse(input, positionals, words);
  if (bare.length > positionals.length) {
    throw new UsageError(`"${bare[positionals.length]}" is one word too many.`);
  }
  const given = Object.entries(input.properties).map(([property, schema]) => {
    const index = positionals.indexOf(property);
    const value = index >= 0 ? bare[index] : values[optionName(property).slice(2)];
    return [property, typeof value === 'string' ? convert(schema, value) : value] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
