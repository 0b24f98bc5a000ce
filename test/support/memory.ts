import { readFileSync } from 'node:fs';

/** Resident memory of a process in megabytes: now (`VmRSS`), or at its highest (`VmHWM`). Linux. */
export function residentMb(pid: number | 'self', which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(status)?.[1];
  return Number(kilobytes) / 1024;
}
