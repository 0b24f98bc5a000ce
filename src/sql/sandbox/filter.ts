import { auditArchitecture, type Machine, numberOf, type SystemCall } from './system-calls.ts';

/** For threads, memory, clocks and reading; the rest is refused. */
const ALLOWED: readonly SystemCall[] = [
  ...['access', 'brk', 'clock_getres', 'clock_gettime', 'clock_nanosleep', 'close'],
  ...['epoll_create1', 'epoll_ctl', 'epoll_pwait', 'epoll_pwait2', 'epoll_wait', 'eventfd2'],
  ...['exit', 'exit_group', 'faccessat', 'faccessat2', 'fstat', 'futex', 'getcwd'],
  ...['getpid', 'getrandom', 'getrusage', 'gettid', 'lseek', 'lstat', 'madvise', 'membarrier'],
  ...['mmap', 'mprotect', 'mremap', 'munmap', 'nanosleep', 'newfstatat', 'poll', 'ppoll'],
  ...['pread64', 'read', 'readlink', 'readlinkat', 'readv', 'restart_syscall', 'rseq'],
  ...['rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'sched_getaffinity', 'sched_yield'],
  ...['set_robust_list', 'sigaltstack', 'stat', 'statx', 'sysinfo', 'timerfd_settime', 'uname'],
  ...['write', 'writev'],
] as const satisfies readonly SystemCall[];

const CLONE_THREAD = 0x1_0000;
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC and __O_TMPFILE. */
const ANY_WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o20_000_000;
const PR_SET_NAME = 15;
const EPERM = 1;
const EACCES = 13;
const ENOSYS = 38;

const WHOLE = 0xffff_ffff;
/** CLONE_NEWNS to CLONE_NEWNET. */
const CLONE_NEW = 0x7e02_0000;
/** Commands on a descriptor itself: no signals to an owner. */
const F_DUPFD_TO_SETLKW = [0, 1, 2, 3, 4, 5, 6, 7];
const F_DUPFD_CLOEXEC = 1_030;

type Condition = { argument: number; mask: number; equals: readonly number[]; otherwise: number };

const conditions = (pid: number): readonly (readonly [SystemCall, Condition])[] => [
  [
    'clone',
    { argument: 0, mask: CLONE_THREAD | CLONE_NEW, equals: [CLONE_THREAD], otherwise: EPERM },
  ],
  [
    'fcntl',
    { argument: 1, mask: WHOLE, equals: [...F_DUPFD_TO_SETLKW, F_DUPFD_CLOEXEC], otherwise: EPERM },
  ],
  ['open', { argument: 1, mask: ANY_WRITING, equals: [0], otherwise: EACCES }],
  ['openat', { argument: 2, mask: ANY_WRITING, equals: [0], otherwise: EACCES }],
  ['prctl', { argument: 0, mask: WHOLE, equals: [PR_SET_NAME], otherwise: EPERM }],
  ['tgkill', { argument: 0, mask: WHOLE, equals: [pid], otherwise: EPERM }],
  ['prlimit64', { argument: 0, mask: WHOLE, equals: [0], otherwise: EPERM }],
];

const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const REFUSE = 0x0005_0000;
const KILL_PROCESS = 0x8000_0000;
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const ARGUMENTS_AT = 16;
const ARGUMENT_BYTES = 8;

export type Instruction = { code: number; ifTrue: number; ifFalse: number; value: number };

const instruction = (code: number, value: number, ifTrue = 0, ifFalse = 0): Instruction => ({
  ...{ code, value, ifTrue, ifFalse },
});
const answer = (value: number) => instruction(RETURN, value);
const refuse = (error: number) => answer(REFUSE | error);

/** For seccomp; refuses every call without a name here. */
export function filterFor(on: Machine, pid: number): Instruction[] {
  const program = [
    instruction(LOAD, ARCHITECTURE_AT),
    instruction(JUMP_IF_EQUAL, auditArchitecture(on), 1, 0),
    answer(KILL_PROCESS),
    instruction(LOAD, NUMBER_AT),
  ];
  const named = (name: SystemCall, then: readonly Instruction[]) => {
    const number = numberOf(name, on);
    if (number === null) return;
    program.push(instruction(JUMP_IF_EQUAL, number, 0, then.length), ...then);
  };
  for (const name of ALLOWED) named(name, [answer(ALLOW)]);
  for (const [name, { argument, mask, equals, otherwise }] of conditions(pid)) {
    named(name, [
      instruction(LOAD, ARGUMENTS_AT + argument * ARGUMENT_BYTES),
      instruction(AND, mask),
      ...equals.flatMap((value) => [instruction(JUMP_IF_EQUAL, value, 0, 1), answer(ALLOW)]),
      refuse(otherwise),
    ]);
  }
  // The C library then takes `clone`, whose flags can be read.
  named('clone3', [refuse(ENOSYS)]);
  return [...program, refuse(EPERM)];
}

const INSTRUCTION_BYTES = 8;

export function encodeFilter(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    const offset = index * INSTRUCTION_BYTES;
    view.setUint16(offset, code, true);
    view.setUint8(offset + 2, ifTrue);
    view.setUint8(offset + 3, ifFalse);
    view.setUint32(offset + 4, value, true);
  }
  return bytes;
}
