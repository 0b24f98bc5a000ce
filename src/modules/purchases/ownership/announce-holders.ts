import type { Tx } from '../../../storage/postgres.ts';
import { announce } from '../../webhooks/index.ts';
import type { ChainKey } from '../model/chain.ts';
import { chainField } from '../model/wire.ts';
import type { Link } from './ownership.ts';

type Holder = { userId: string | null; anonymousId?: string };

function toHolders(links: readonly Link[]): Holder[] {
  const users = links.filter(({ kind }) => kind === 'user');
  if (users.length > 0) return users.map(({ personId }) => ({ userId: personId }));
  const devices = links.filter(({ kind }) => kind === 'anonymous');
  return devices.map(({ personId }) => ({ userId: null, anonymousId: personId }));
}

export async function announceHolders(
  tx: Tx,
  { orgId, appId, environment, chainId }: ChainKey,
  { before, after, at }: { before: readonly Link[]; after: readonly Link[]; at: Date },
): Promise<void> {
  const all = [...toHolders(before), ...toHolders(after)];
  const holders = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  for (const holder of holders.length > 0 ? holders : [null]) {
    const personIds = [holder?.userId ?? holder?.anonymousId].filter((id) => id !== undefined);
    const data = { appId, environment, ...chainField(chainId), ...holder };
    await announce(tx, () => at, { orgId, type: 'entitlement.changed', data, personIds });
  }
}
