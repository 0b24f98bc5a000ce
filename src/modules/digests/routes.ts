import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { ChangeDigestSettings, DigestSettings } from './model.ts';
import { getDigestSettings, setDigestSettings } from './settings.ts';

const manages = { permission: 'integration:manage' } as const;

export const digestsRoutes = new Elysia({ prefix: '/v1/digests', detail: { tags: ['Digests'] } })
  .use(access)
  .get('', ({ ctx }) => getDigestSettings(ctx), {
    forOrganization: manages,
    response: { 200: DigestSettings },
    detail: {
      operationId: 'getDigestSettings',
      summary: 'Whether, where and when the morning digest comes',
      description: 'Off until somebody switches it on.',
    },
  })
  .put('', ({ ctx, body }) => setDigestSettings(ctx, body), {
    forOrganization: manages,
    body: ChangeDigestSettings,
    response: { 200: DigestSettings },
    detail: {
      operationId: 'setDigestSettings',
      summary: 'Switch the morning digest on or off',
      description: 'One digest a day, at this hour of the zone, through the change of clocks.',
    },
  });
