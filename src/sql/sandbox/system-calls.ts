import { AppError } from '../../shared/errors.ts';

/** By x86-64 and by ARM64; null where it has none. From Linux' own tables. */
const NUMBERS = {
  access: [21, null],
  brk: [12, 214],
  clock_getres: [229, 114],
  clock_gettime: [228, 113],
  clock_nanosleep: [230, 115],
  clone: [56, 220],
  clone3: [435, 435],
  close: [3, 57],
  close_range: [436, 436],
  epoll_create1: [291, 20],
  epoll_ctl: [233, 21],
  epoll_pwait: [281, 22],
  epoll_pwait2: [441, 441],
  epoll_wait: [232, null],
  eventfd2: [290, 19],
  execve: [59, 221],
  exit: [60, 93],
  exit_group: [231, 94],
  faccessat: [269, 48],
  faccessat2: [439, 439],
  fcntl: [72, 25],
  fstat: [5, 80],
  futex: [202, 98],
  getcwd: [79, 17],
  getpid: [39, 172],
  getrandom: [318, 278],
  getrusage: [98, 165],
  gettid: [186, 178],
  landlock_add_rule: [445, 445],
  landlock_create_ruleset: [444, 444],
  landlock_restrict_self: [446, 446],
  lseek: [8, 62],
  lstat: [6, null],
  madvise: [28, 233],
  membarrier: [324, 283],
  mmap: [9, 222],
  mprotect: [10, 226],
  mremap: [25, 216],
  munmap: [11, 215],
  nanosleep: [35, 101],
  newfstatat: [262, 79],
  open: [2, null],
  openat: [257, 56],
  poll: [7, null],
  ppoll: [271, 73],
  prctl: [157, 167],
  pread64: [17, 67],
  prlimit64: [302, 261],
  read: [0, 63],
  readlink: [89, null],
  readlinkat: [267, 78],
  readv: [19, 65],
  restart_syscall: [219, 128],
  rseq: [334, 293],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  sched_getaffinity: [204, 123],
  sched_yield: [24, 124],
  seccomp: [317, 277],
  set_robust_list: [273, 99],
  sigaltstack: [131, 132],
  socket: [41, 198],
  stat: [4, null],
  statx: [332, 291],
  sysinfo: [99, 179],
  tgkill: [234, 131],
  timerfd_settime: [286, 86],
  uname: [63, 160],
  write: [1, 64],
  writev: [20, 66],
} as const satisfies Record<string, readonly [x64: number, arm64: number | null]>;

export type SystemCall = keyof typeof NUMBERS;

/** Offsets in seccomp's data. */
const AUDIT_ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

export type Machine = keyof typeof AUDIT_ARCHITECTURES;

export function machine(): Machine {
  const { arch, platform } = process;
  if (platform === 'linux' && (arch === 'x64' || arch === 'arm64')) return arch;
  throw new AppError('unavailable', `Nothing isolates a question on ${platform} ${arch}.`);
}

export const auditArchitecture = (on: Machine): number => AUDIT_ARCHITECTURES[on];

export function numberOf(name: SystemCall, on: Machine = machine()): number | null {
  return NUMBERS[name][on === 'x64' ? 0 : 1];
}
