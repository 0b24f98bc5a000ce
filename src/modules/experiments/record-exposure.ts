import type { DeviceContext } from '../../context.ts';
import { recordOrigin } from '../../event-store/append.ts';
import { type Exposure, exposureBatch, exposureId } from './exposure.ts';

/** A second one of the same person and arm counts once. */
export async function recordExposure(
  ctx: DeviceContext<'assignments' | 'clock' | 'events'>,
  exposure: Exposure,
): Promise<void> {
  const { deps, environment } = ctx;
  const id = exposureId(exposure, environment);
  if (deps.assignments.isRecorded(id)) return;
  const receivedAt = deps.clock().getTime();
  const body = Buffer.from(exposureBatch(id, exposure));
  await deps.events.append({ ...recordOrigin(ctx), receivedAt, body });
  deps.assignments.markRecorded(id);
}
