import type { Static, TObject } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { SystemContext } from '../context.ts';
import { findOrganizationOfApp } from '../modules/app-settings/index.ts';
import { newId } from '../shared/ids.ts';
import { describeValueError } from '../shared/misfit.ts';
import { parser } from '../shared/schema.ts';
import { beginAudit, endAudit, inAuditHolder } from '../storage/audit.ts';
import { optionName, readOptions, UsageError } from './options.ts';

/** Audited part of a command: the rows that it changes, or that it was run. */
type Audited = 'rows' | 'act';

type Given = { app?: unknown; dryRun?: unknown };

/** `work` as the operator's. */
function asOperator<T>(
  { deps }: Pick<SystemContext<'clock' | 'sql'>, 'deps'>,
  { name, audited, given }: { name: string; audited: Audited; given: Given },
  work: () => Promise<T>,
): Promise<T> {
  return inAuditHolder(async () => {
    if (given.dryRun === true) return work();
    const appId = typeof given.app === 'string' ? given.app : null;
    const orgId = appId === null ? undefined : await findOrganizationOfApp(deps.sql, appId);
    const scope = {
      actor: { kind: 'operator' as const, id: null },
      orgId: orgId ?? null,
      appId,
      operation: name,
      address: null,
      userAgent: null,
      requestId: newId('req'),
      at: deps.clock(),
      isOver: false,
      isWritten: false,
    };
    // Otherwise each of its many statements would be a transaction with triggers.
    if (audited === 'rows') beginAudit(scope);
    const result = await work();
    if (audited === 'act') beginAudit(scope);
    await endAudit(audited === 'act' ? deps.sql : null);
    return result;
  });
}

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
