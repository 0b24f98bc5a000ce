import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { encodeFilter, filterFor, type Instruction } from '../../../src/sql/sandbox/filter.ts';
import {
  auditArchitecture,
  type Machine,
  numberOf,
  type SystemCall,
} from '../../../src/sql/sandbox/system-calls.ts';

const PID = 4_242;
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const REFUSE = 0x0005_0000;
const MACHINES: readonly Machine[] = ['x64', 'arm64'];

/** As the kernel runs it: an accumulator, and a look at the call's number and arguments. */
function decide(
  program: readonly Instruction[],
  { architecture, number, args }: { architecture: number; number: number; args: number[] },
): number {
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 1) {
    const { code, value, ifTrue, ifFalse } = program[at]!;
    if (code === 0x06) return value;
    if (code === 0x20 && value === 0) accumulator = number;
    else if (code === 0x20 && value === 4) accumulator = architecture;
    else if (code === 0x20) accumulator = (args[(value - 16) / 8] ?? 0) >>> 0;
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x15) at += accumulator === value ? ifTrue : ifFalse;
    else throw new Error(`code ${code}`);
  }
  throw new Error('it has no end');
}

const on = (machine: Machine, name: SystemCall, ...args: number[]) =>
  decide(filterFor(machine, PID), {
    architecture: auditArchitecture(machine),
    number: numberOf(name, machine) ?? -1,
    args,
  });

describe.each([...MACHINES])('the filter of system calls on %s', (machine) => {
  test('lets through reading, memory and threads', () => {
    for (const name of ['read', 'mmap', 'futex', 'pread64', 'exit_group'] as const) {
      expect(on(machine, name)).toBe(ALLOW);
    }
    expect(on(machine, 'openat', 0, 0, 0o2_000_000)).toBe(ALLOW);
    expect(on(machine, 'clone', 0x3d_0f00)).toBe(ALLOW);
    expect(on(machine, 'tgkill', PID, 1, 10)).toBe(ALLOW);
    expect(on(machine, 'prlimit64', 0, 7, 0, 1)).toBe(ALLOW);
    expect(on(machine, 'fcntl', 3, 1_030)).toBe(ALLOW);
  });

  test('refuses sockets, programs, processes, writing, and signals to others', () => {
    for (const name of ['socket', 'execve', 'landlock_create_ruleset', 'seccomp'] as const) {
      expect(on(machine, name)).toBe(REFUSE | 1);
    }
    expect(on(machine, 'clone', 17)).toBe(REFUSE | 1);
    expect(on(machine, 'clone3')).toBe(REFUSE | 38);
    expect(on(machine, 'tgkill', PID + 1, 1, 10)).toBe(REFUSE | 1);
    expect(on(machine, 'prlimit64', PID + 1, 7, 1, 0)).toBe(REFUSE | 1);
    expect(on(machine, 'clone', 0x3d_0f00 | 0x2_0000)).toBe(REFUSE | 1);
    for (const command of [8, 10, 15]) expect(on(machine, 'fcntl', 1, command)).toBe(REFUSE | 1);
    expect(on(machine, 'prctl', 38)).toBe(REFUSE | 1);
    for (const flag of [0o1, 0o2, 0o100, 0o1000, 0o20_200_000]) {
      expect(on(machine, 'openat', 0, 0, flag)).toBe(REFUSE | 13);
    }
  });

  test('has one answer for each call, and none for a call of another architecture', () => {
    const program = filterFor(machine, PID);
    const architecture = auditArchitecture(machine);
    const number = fc.nat({ max: 600 });
    const args = fc.array(fc.nat({ max: 0xffff_ffff }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(number, args, (call, given) => {
        const answer = decide(program, { architecture, number: call, args: given });
        expect([ALLOW, REFUSE | 1, REFUSE | 13, REFUSE | 38]).toContain(answer);
        const foreign = { architecture: architecture + 1, number: call, args: given };
        expect(decide(program, foreign)).toBe(KILL);
      }),
    );
    expect(encodeFilter(program)).toHaveLength(program.length * 8);
  });
});
