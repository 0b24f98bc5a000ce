import { must } from '../../shared/assert.ts';
import type { Draw } from './draws.ts';

/** Bytes of one flag's answer, and two halves of their hash. */
export type Part = { json: Buffer; further: Buffer; hash: readonly [number, number] };

const OPEN = Buffer.from('{"flags":[');
const CLOSE = Buffer.from(']}');
/** What a group may come to. */
const MAX_PIECES = 8;
const MAX_BYTES = 8 * 1024;

type Choices = readonly Buffer[];

/** Neighbouring flags: a piece for what each of them drew, joined when it is first asked for. */
type Group = { choices: Choices[]; pieces: number; bytes: number; joined: (Buffer | undefined)[] };

const largest = (choices: Choices): number => Math.max(...choices.map(({ length }) => length));

const groupOf = (choices: Choices): Group => ({
  choices: [choices],
  pieces: choices.length,
  bytes: largest(choices),
  joined: [],
});

/** False beyond what one may come to. */
function joins(group: Group, choices: Choices): boolean {
  const pieces = group.pieces * choices.length;
  const bytes = group.bytes + largest(choices);
  if (pieces > MAX_PIECES || pieces * bytes > MAX_BYTES) return false;
  Object.assign(group, { pieces, bytes });
  group.choices.push(choices);
  return true;
}

/** The first choice counts up first. */
function join({ choices, joined }: Group, pick: number): Buffer {
  let rest = pick;
  const buffers = choices.map((some) => {
    const place = rest % some.length;
    rest = (rest - place) / some.length;
    return must(some[place], 'a pick is of a piece');
  });
  const [only] = buffers;
  const piece = buffers.length === 1 && only ? only : Buffer.concat(buffers);
  joined[pick] = piece;
  return piece;
}

/** In the order of the flags: what everybody gets in one piece, and the choices of who draws. */
function choicesOf(resolved: readonly (Part | Draw<Part>)[]): Choices[] {
  const all: Choices[] = [];
  let run: Buffer[] = [OPEN];
  for (const [flag, one] of resolved.entries()) {
    const bytesOf = ({ json, further }: Part) => (flag === 0 ? json : further);
    if ('json' in one) {
      run.push(bytesOf(one));
      continue;
    }
    if (run.length > 0) all.push([Buffer.concat(run)]);
    run = [];
    all.push(one.answers.map(bytesOf));
  }
  return [...all, [Buffer.concat([...run, CLOSE])]];
}

export type Groups = {
  bytes: number;
  picksOf: (places: Int32Array) => Uint16Array<ArrayBuffer>;
  /** Until the next one is asked for: a Response has a copy. */
  bodyOf: (picks: Uint16Array) => Buffer<ArrayBuffer>;
};

let written = Buffer.alloc(64 * 1024);

export function createGroups(resolved: readonly (Part | Draw<Part>)[]): Groups {
  const groups: Group[] = [];
  const draws: { group: number; factor: number }[] = [];
  for (const choices of choicesOf(resolved)) {
    const before = groups.at(-1);
    const pieces = before?.pieces ?? 1;
    const isIn = before !== undefined && joins(before, choices);
    if (!isIn) groups.push(groupOf(choices));
    if (choices.length > 1) draws.push({ group: groups.length - 1, factor: isIn ? pieces : 1 });
  }
  const groupsOfDraws = Int32Array.from(draws, ({ group }) => group);
  const factors = Int32Array.from(draws, ({ factor }) => factor);
  const picksOf = (places: Int32Array) => {
    const picks = new Uint16Array(groups.length);
    for (let index = 0; index < factors.length; index += 1) {
      picks[groupsOfDraws[index]] += places[index] * factors[index];
    }
    return picks;
  };
  const longest = groups.reduce((sum, { bytes }) => sum + bytes, 0);
  const bodyOf = (picks: Uint16Array) => {
    if (written.length < longest) written = Buffer.alloc(longest);
    let length = 0;
    for (let index = 0; index < groups.length; index += 1) {
      const pick = picks[index];
      const group = groups[index];
      const piece = group.joined[pick] ?? join(group, pick);
      written.set(piece, length);
      length += piece.length;
    }
    return written.subarray(0, length);
  };
  const bytes = groups.reduce((sum, group) => sum + group.pieces * group.bytes, 0);
  return { bytes, picksOf, bodyOf };
}
