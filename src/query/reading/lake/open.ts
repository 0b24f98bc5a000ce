import type { Deps } from '../../../context.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import type { LakeEngine } from './engine.ts';
import { trinoEngine } from './trino.ts';

const MAX_ROWS = 200_000;
const MAX_BYTES = 64 * 1_024 * 1_024;

export function openLakeEngine(config: Deps['config']): LakeEngine | null {
  const { engine } = config.lake;
  if (!engine) return null;
  const timeoutMs = config.query.timeoutSeconds * SECOND_MS;
  return trinoEngine(engine, { timeoutMs, maxRows: MAX_ROWS, maxBytes: MAX_BYTES });
}
