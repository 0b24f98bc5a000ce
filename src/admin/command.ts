import type { Static, TObject } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { SystemContext } from '../context.ts';
import { describeValueError } from '../shared/misfit.ts';
import { parser } from '../shared/schema.ts';
import { optionName, readOptions, UsageError } from './options.ts';

export type Outcome = {
  /** Printed with `--json`. */
  data: unknown;
  /** Printed without it. */
  text: string;
};

export type CommandSpec<S extends TObject> = {
  /** One or two words, such as `key create`. */
  name: string;
  summary: string;
  /** Properties are options (`storeAppId` is `--store-app-id`); descriptions become the help. */
  input: S;
  /** Properties that are given without their name, in this order. */
  positionals?: readonly (string & keyof Static<S>)[];
  /** Works also while the service is stopped: an embedded database is started for it. */
  standsAlone?: boolean;
  run: (ctx: SystemContext, input: Static<S>) => Promise<Outcome>;
};

export type Command = {
  name: string;
  summary: string;
  input: TObject;
  positionals: readonly string[];
  standsAlone: boolean;
  /** Parses the words after the command's name, else throws `UsageError`. */
  prepare: (words: readonly string[]) => (ctx: SystemContext) => Promise<Outcome>;
};

/** The first misfit, under the option's name on the command line. */
function problemOf(input: TObject, given: unknown): string {
  const error = Value.Errors(input, given).First();
  const described = describeValueError('input', error);
  const property = error?.path.split('/')[1];
  return property
    ? described.replace(property, optionName(property)).replace(': ', ' ')
    : described;
}

/** A command of `bun run admin`: its schema says what it takes, `run` calls one use-case. */
export function defineCommand<S extends TObject>(spec: CommandSpec<S>): Command {
  const { name, summary, input, positionals = [], standsAlone = false, run } = spec;
  const { check } = parser(input, name);
  return {
    name,
    summary,
    input,
    positionals,
    standsAlone,
    prepare: (words) => {
      const given: unknown = readOptions(input, positionals, words);
      if (!check(given)) throw new UsageError(problemOf(input, given));
      return (ctx) => run(ctx, given);
    },
  };
}
