import { AppError } from '../shared/errors.ts';
import type { Turns } from '../shared/turns.ts';

/** 20,000 events of 50 values. */
const MAX_VALUES = 1_000_000;
/** Slower to parse; accepted events are narrower. */
const WIDE_MEMBERS = 1_000;
const WIDE_COST = 4;
const OBJECT_COST = 2;
/** Accepted events are smaller and less deep. */
const MAX_LEVELS = 32;
const MAX_DEEP_CHARACTERS = 256 * 1024;
const SCANNED_AT_A_TIME = 256 * 1024;

const [QUOTE, COMMA, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [...'",\\[]{}'].map((sign) =>
  sign.charCodeAt(0),
);

/** Neighbouring elements, or one with a large container. */
export type Part = { start: number; end: number; container: Container | null };
export type Container = { start: number; end: number; isList: boolean; parts: Part[] };

const refused = (message: string, hint: string) =>
  new AppError('body_too_large', message, { hint: `body: ${hint}` });

export function malformed(): never {
  throw new SyntaxError('The text is no JSON.');
}

function endOfText(json: string, start: number): number {
  let index = start;
  for (; index < json.length && json.charCodeAt(index) !== QUOTE; index += 1) {
    if (json.charCodeAt(index) === BACKSLASH) index += 1;
  }
  return index;
}

/** Counts values, and cuts at commas without parsing. */
class Scan {
  private values = 0;
  private members = 0;
  /** By level. */
  private readonly outer: number[] = [];
  private readonly starts: number[] = [];
  private readonly partStarts: number[] = [];
  private readonly elementStarts: number[] = [];
  private readonly parts: Part[][] = [];
  /** Holds the current element. */
  private container: Container | null = null;

  constructor(
    private readonly json: string,
    private readonly partCharacters: number,
  ) {}

  root(): Container | null {
    if (this.outer.length > 0) malformed();
    return this.container;
  }

  /** Returns where it stopped. */
  advance(start: number, end: number): number {
    const json = this.json;
    let index = start;
    for (; index < end && this.values <= MAX_VALUES; index += 1) {
      const code = json.charCodeAt(index);
      if (code === QUOTE) index = endOfText(json, index + 1);
      else if (code === COMMA) this.#comma(index);
      else if (code === LIST || code === OBJECT) this.#open(index, code === OBJECT);
      else if (code === LIST_END || code === OBJECT_END) this.#end(index);
    }
    if (this.values <= MAX_VALUES) return index;
    throw refused('The batch holds too many values.', `at most ${MAX_VALUES} values`);
  }

  #open(index: number, isObject: boolean): void {
    this.outer.push(this.members);
    this.members = 0;
    this.values += isObject ? OBJECT_COST : 1;
    const level = this.outer.length;
    if (level > MAX_LEVELS + 1) return;
    this.starts[level] = index;
    this.partStarts[level] = index + 1;
    this.elementStarts[level] = index + 1;
  }

  #comma(index: number): void {
    this.members += 1;
    this.values += this.members > WIDE_MEMBERS ? WIDE_COST : 1;
    const level = this.outer.length;
    if (level > MAX_LEVELS) return;
    this.#endElement(level, index, false);
    this.elementStarts[level] = index + 1;
  }

  #end(index: number): void {
    const level = this.outer.length;
    if (index - (this.starts[level] ?? index) >= this.partCharacters) this.#close(level, index);
    this.members = this.outer.pop() ?? malformed();
  }

  #close(level: number, index: number): void {
    const start = this.starts[level] ?? malformed();
    if (level > MAX_LEVELS) {
      if (level > MAX_LEVELS + 1 || index - start < MAX_DEEP_CHARACTERS) return;
      throw refused('The batch is nested too deep.', `at most 256 KB below ${MAX_LEVELS} levels`);
    }
    this.#endElement(level, index, true);
    const isList = this.json.charCodeAt(start) === LIST;
    this.container = { start, end: index + 1, isList, parts: this.parts[level] ?? [] };
    this.parts[level] = [];
  }

  #endElement(level: number, end: number, isLast: boolean): void {
    const partStart = this.partStarts[level] ?? end;
    const container = this.container;
    if (container === null && !isLast && end - partStart < this.partCharacters) return;
    this.parts[level] ??= [];
    const start = container === null ? partStart : (this.elementStarts[level] ?? end);
    if (start > partStart) {
      this.parts[level].push({ start: partStart, end: start - 1, container: null });
    }
    this.parts[level].push({ start, end, container });
    this.partStarts[level] = end + 1;
    this.container = null;
  }
}

/** Null where it is parsed in one go. Throws for more than parsing should cost. */
export async function findParts(
  json: string,
  turns: Turns,
  partCharacters: number,
): Promise<Container | null> {
  const scan = new Scan(json, partCharacters);
  for (let index = 0; index < json.length; ) {
    index = scan.advance(index, Math.min(json.length, index + SCANNED_AT_A_TIME));
    if (turns.isOver()) await turns.next();
  }
  return scan.root();
}
