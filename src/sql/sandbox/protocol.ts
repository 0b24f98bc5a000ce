import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { SqlParameters } from '../../modules/sql/model.ts';
import { parser } from '../../shared/schema.ts';

const Count = Type.Integer({ minimum: 0 });
const Texts = Type.Array(Type.String());

/** Readable in the process; programs are executable too. */
const Confinement = Type.Object({
  files: Texts,
  programs: Texts,
  /** Module that the process runs. */
  entry: Type.String(),
  cpuSeconds: Count,
});
export type Confinement = Static<typeof Confinement>;
export const confinement = parser(Confinement, 'confinement of a question');

const ChildQuestion = Type.Object({
  setup: Texts,
  paths: Texts,
  views: Texts,
  /** Tables behind the views. */
  hidden: Texts,
  sql: Type.String(),
  parameters: SqlParameters,
  timeMs: Count,
  maxRows: Count,
  maxBytes: Count,
  memoryMb: Count,
  threads: Count,
});
export type ChildQuestion = Static<typeof ChildQuestion>;
export const childQuestion = parser(ChildQuestion, 'question to the sandbox');

export const confinementPath = (folder: string): string => join(folder, 'confinement.json');
export const questionPath = (folder: string): string => join(folder, 'question.json');
