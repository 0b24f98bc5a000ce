import type { DeviceContext } from '../../context.ts';
import type { NewRecord } from '../log/event-log.ts';

/** Who sent a record; production is not written, so that earlier releases wrote the same. */
export function recordOrigin(
  ctx: Pick<DeviceContext, 'orgId' | 'appId' | 'keyId' | 'environment'>,
): Pick<NewRecord, 'org' | 'app' | 'key' | 'environment'> {
  const { orgId, appId, keyId, environment } = ctx;
  const isProduction = environment === 'production';
  return { org: orgId, app: appId, key: keyId, ...(!isProduction && { environment }) };
}
