import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf, parser } from '../../../shared/schema.ts';
import { printable } from '../../../shared/text.ts';

/** With `preview`; other lines are output, whose tail explains a crash. */
const RunnerMessage = Type.Object({
  phase: Type.Optional(OneOf(['installing', 'ready'])),
  webUrl: Type.Optional(Nullable(Type.String({ maxLength: 2_000, pattern: '^https?://' }))),
  expoUrl: Type.Optional(
    Nullable(Type.String({ maxLength: 2_000, pattern: '^(exps?|https?)://' })),
  ),
  version: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
  errors: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
});
export type RunnerMessage = Static<typeof RunnerMessage>;

const line = parser(Type.Object({ preview: RunnerMessage }), 'line of a preview runner');

const KEPT_LINES = 20;
const LONGEST_LINE = 500;
const MOST_ERRORS = 20;

export function parseMessage(text: string): RunnerMessage | null {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return line.check(value) ? withSafeText(value.preview) : null;
  } catch {
    return null;
  }
}

function withSafeText(message: RunnerMessage): RunnerMessage {
  if (message.errors === undefined) return message;
  return { ...message, errors: message.errors.slice(-MOST_ERRORS).map(storable) };
}

export function storable(text: string): string {
  return printable(text).slice(0, LONGEST_LINE).toWellFormed();
}

/** Endless lines are cut. */
export class LineReader {
  private rest = '';
  private readonly decoder = new TextDecoder();

  constructor(private readonly longest = 64 * 1024) {}

  push(bytes: Uint8Array): string[] {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    this.rest = lines.pop() ?? '';
    if (this.rest.length <= this.longest) return lines;
    lines.push(this.rest);
    this.rest = '';
    return lines;
  }
}

export class Tail {
  private lines: string[] = [];

  add(text: string): void {
    const shown = storable(text);
    if (shown.trim() === '') return;
    this.lines.push(shown);
    if (this.lines.length > KEPT_LINES) this.lines = this.lines.slice(-KEPT_LINES);
  }

  text(): string {
    return this.lines.join('\n');
  }
}
