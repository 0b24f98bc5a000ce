import { Type } from '@sinclair/typebox';
import pretty from 'pino-pretty';
import { parser } from '../shared/schema.ts';

const RequestLine = Type.Object({
  time: Type.String(),
  msg: Type.Literal('request'),
  method: Type.String(),
  route: Type.Union([Type.String(), Type.Null()]),
  status: Type.Integer(),
  durationMs: Type.Number(),
  orgId: Type.Union([Type.String(), Type.Null()]),
  appId: Type.Union([Type.String(), Type.Null()]),
  code: Type.Optional(Type.String()),
  hint: Type.Optional(Type.String()),
  err: Type.Optional(Type.Object({ stack: Type.Optional(Type.String()) })),
});
const requestLine = parser(RequestLine, 'line of a request');

/** Activity failure with an outside cause (`activities/activity.ts`). */
const FailureLine = Type.Object({
  time: Type.String(),
  msg: Type.String({ pattern: '^activity failed: ' }),
  code: Type.String(),
  because: Type.Optional(Type.String()),
  workflowId: Type.Optional(Type.String()),
});
const failureLine = parser(FailureLine, 'line of a failure');

const others = pretty.prettyFactory({
  colorize: true,
  translateTime: 'HH:MM:ss',
  ignore: 'pid,role',
});

const toTime = (iso: string) => new Date(iso).toTimeString().slice(0, 8);

function formatRequest(line: typeof RequestLine.static): string {
  const { time, method, route, status, durationMs, code, hint } = line;
  const why = code === undefined ? '' : `${code}${hint === undefined ? '' : `: ${hint}`}`;
  const words = [
    toTime(time),
    method,
    route ?? 'no such route',
    status,
    `${Math.round(durationMs)} ms`,
  ];
  const about = [line.appId ?? line.orgId ?? '', why].filter((text) => text !== '');
  const stack = line.err?.stack === undefined ? '' : `\n${line.err.stack}`;
  return `${[...words, ...about].join(' ')}${stack}\n`;
}

function formatFailure({ time, msg, because, workflowId }: typeof FailureLine.static): string {
  const about = [because, workflowId && `(${workflowId})`].filter(Boolean);
  return `${[toTime(time), msg, ...about].join(' ')}\n`;
}

export function readable(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (requestLine.check(value)) return formatRequest(value);
    if (failureLine.check(value)) return formatFailure(value);
  } catch {}
  return others(json);
}

/** Unbuffered, so that no line is lost at exit. */
export const terminalStream = {
  write: (json: string) => {
    process.stdout.write(readable(json));
  },
};
