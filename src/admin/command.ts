import type { Static, TObject } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { SystemContext } from '../context.ts';
import { type Audited, asOperator } from './audited.ts';
import { describeValueError } from '../shared/misfit.ts';
import { parser } from '../shared/schema.ts';
import { optionName, readOptions, UsageError } from './options.ts';

export type Outcome = {
  data: unknown;
  text: string;
};

export type CommandSpec<S extends TObject> = {
  name: string;
  summary: string;
  /** Properties are options, descriptions the help. */
  input: S;
  positionals?: readonly (string & keyof Static<S>)[];
  /** Also runs on a stopped service, by starting its embedded database. */
  standsAlone?: boolean;
  /** Left out of commands that change nothing of the control plane, or the whole installation. */
  audited?: Audited;
  run: (ctx: SystemContext, input: Static<S>) => Promise<Outcome>;
};

export type Command = {
  name: string;
  summary: string;
  input: TObject;
  positionals: readonly string[];
  standsAlone: boolean;
  audited: Audited | undefined;
  /** Throws `UsageError`. */
  prepare: (words: readonly string[]) => (ctx: SystemContext) => Promise<Outcome>;
};

function describeProblem(input: TObject, given: unknown): string {
  const error = Value.Errors(input, given).First();
  const described = describeValueError('input', error);
  const property = error?.path.split('/')[1];
  return property
    ? described.replace(property, optionName(property)).replace(': ', ' ')
    : described;
}

export function defineCommand<S extends TObject>(spec: CommandSpec<S>): Command {
  const { name, summary, input, positionals = [], standsAlone = false, audited, run } = spec;
  const { check } = parser(input, name);
  return {
    name,
    summary,
    input,
    positionals,
    standsAlone,
    audited,
    prepare: (words) => {
      const given: unknown = readOptions(input, positionals, words);
      if (!check(given)) throw new UsageError(describeProblem(input, given));
      return (ctx) =>
        audited
          ? asOperator(ctx, { name, audited, given }, () => run(ctx, given))
          : run(ctx, given);
    },
  };
}
