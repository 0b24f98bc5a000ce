import { join } from 'node:path';
import { HOUR_MS } from '../../shared/time.ts';
import { makeFolder } from '../files.ts';
import { ofThisProcess, removeLeftovers } from '../leftovers.ts';
import { SCRATCH } from './port.ts';

export function openScratch(root: string) {
  const dir = join(root, SCRATCH);
  makeFolder(dir);
  return {
    path: (name: string) => join(dir, ofThisProcess(name)),
    trim: (nowMs: number) => removeLeftovers(dir, nowMs - HOUR_MS),
  };
}
