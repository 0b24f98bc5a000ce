import { parseArgs } from 'node:util';
import type { TObject, TSchema } from '@sinclair/typebox';
import { messageOf } from '../shared/errors.ts';

/** The operator wrote something that the command does not take; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** `storeAppId` is `--store-app-id`. */
export function optionName(property: string): string {
  return `--${property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function isFlag(schema: TSchema): boolean {
  return schema.type === 'boolean';
}

/** Text as the schema wants it; what is no number stays text, and the schema refuses it. */
function convert(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') {
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  }
  if (schema.type === 'array') {
    return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  }
  return text;
}

function parse(input: TObject, positionals: readonly string[], words: readonly string[]) {
  const options = Object.entries(input.properties)
    .filter(([property]) => !positionals.includes(property))
    .map(([property, schema]) => [
      optionName(property).slice(2),
      { type: isFlag(schema) ? ('boolean' as const) : ('string' as const) },
    ]);
  try {
    const parsed = parseArgs({
      args: [...words],
      options: Object.fromEntries(options),
      allowPositionals: positionals.length > 0,
    });
    return {
      named: new Map<string, unknown>(Object.entries(parsed.values)),
      bare: parsed.positionals,
    };
  } catch (thrown) {
    throw new UsageError(messageOf(thrown));
  }
}

/** The words of a command line as an object of the schema's shape, not checked against it yet. */
export function readOptions(
  input: TObject,
  positionals: readonly string[],
  words: readonly string[],
): Record<string, unknown> {
  const { named, bare } = parse(input, positionals, words);
  if (bare.length > positionals.length) {
    throw new UsageError(`"${bare[positionals.length]}" is one word too many.`);
  }
  const given: Record<string, unknown> = {};
  for (const [property, schema] of Object.entries(input.properties)) {
    const index = positionals.indexOf(property);
    const value = index >= 0 ? bare[index] : named.get(optionName(property).slice(2));
    if (value !== undefined)
      given[property] = typeof value === 'string' ? convert(schema, value) : value;
  }
  return given;
}
