import type { ProjectionOrigin } from '../../../event-store/projections.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { Members } from '../projection/members.ts';
import type { Counted, CountedPart } from '../projection/share.ts';
import type { StitchedIndex } from '../projection/stitched-keys.ts';

// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging.
export interface CountingTasks {}

export type CountingTask = {
  [Kind in keyof CountingTasks]: { kind: Kind; question: CountingTasks[Kind] };
}[keyof CountingTasks];

export type HelpRequest = {
  task: CountingTask;
  parts: (Pick<CountedPart, 'file' | 'firsts'> & { origin: ProjectionOrigin })[];
  members: Members;
  environment: EnvironmentScope;
  stitched: StitchedIndex;
  ranges: number;
  turns: Int32Array<SharedArrayBuffer>;
};

/** `null`: a file is gone from this host, so that whoever has it mapped counts. */
export type HelpReply = 'ready' | { counted: Counted | null } | { failed: string };
