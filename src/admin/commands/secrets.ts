import { Type } from '@sinclair/typebox';
import { SEALED_COLUMNS } from '../../app/chapters.ts';
import { loadConfig } from '../../config.ts';
import type { SystemContext } from '../../context.ts';
import { readSameService } from '../../launcher/running.ts';
import { type Rotation, rotateSecrets } from '../../modules/secrets/index.ts';
import { AppError } from '../../shared/errors.ts';
import { createSecrets } from '../../storage/secrets/secrets.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

/** Throws `conflict` unless the service seals with the same key. */
async function requireKeyOfService({
  deps: { config, secrets },
}: SystemContext<'config' | 'secrets'>) {
  const service = await readSameService(config);
  const { SECRETS_KEY: keys } = service?.env ?? {};
  if (keys === undefined) return;
  const [used] = createSecrets(loadConfig({ SECRETS_KEY: keys }).secretsKeys).keyIds;
  const [own] = secrets.keyIds;
  if (used === own) return;
  throw new AppError(
    'conflict',
    `The running service seals with key ${used}, the SECRETS_KEY of this command begins with ${own ?? 'none'}.`,
    {
      hint: 'Leave SECRETS_KEY out here, or restart the service with this one. Nothing was changed.',
    },
  );
}

function adviseOnKeys({ key, others, unreadable }: Rotation, isEncrypted: boolean): string[] {
  if (unreadable.length > 0) {
    const rows = unreadable.map((record) => [record.orgId, record.table]);
    return [
      `${unreadable.length} cannot be read with any key: drop none until theirs are found.`,
      table(['ORGANIZATION', 'TABLE'], rows),
    ];
  }
  if (others.length === 0) {
    return [`Key ${key} is the only one that is known here: it stays, and none can be dropped.`];
  }
  const dropped = `These can be dropped from SECRETS_KEY on every host: ${others.join(', ')}.`;
  return [
    `Key ${key}, the first of SECRETS_KEY, opens all of them and has to stay.`,
    isEncrypted ? `Once the earlier runs have ended: ${dropped}` : dropped,
  ];
}

export const secretsRotateCommand = defineCommand({
  name: 'secrets rotate',
  summary: 'Seal every stored secret with the first key of the running service',
  input: Type.Object({}),
  audited: 'act',
  run: async (ctx) => {
    await requireKeyOfService(ctx);
    const data = await rotateSecrets(ctx, SEALED_COLUMNS);
    const isEncrypted = ctx.deps.config.temporal.payloads === 'encrypted';
    return {
      data,
      text: [
        `${data.rotated} secrets sealed anew, ${data.current} were already.`,
        ...adviseOnKeys(data, isEncrypted),
      ].join('\n'),
    };
  },
});
