import { Type } from '@sinclair/typebox';
import { parser } from '../shared/schema.ts';

/** What a process tells the supervisor over IPC once it serves. */
const Ready = Type.Object({
  type: Type.Literal('ready'),
  /** Printed at the start: `address`, for one. */
  details: Type.Record(Type.String(), Type.String()),
});

export const readyMessage = parser(Ready, 'message of a process');
