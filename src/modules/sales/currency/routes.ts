import { taggedRoutes } from '../../../http/route.ts';
import { ChangeOrganizationSettings, OrganizationSettings } from './model.ts';
import { getOrganizationSettings, setOrganizationSettings } from './settings.ts';

export const currencyRoutes = taggedRoutes('Organizations', '/v1/organization/settings')
  .get('', ({ ctx }) => getOrganizationSettings(ctx), {
    forOrganization: { permission: 'analytics:read' },
    response: { 200: OrganizationSettings },
    detail: {
      operationId: 'getOrganizationSettings',
      summary: 'The settings of the organization',
      description:
        'Its currency, US dollars until it chooses one: money of sales, purchases, experiments, insights and digests is in it. Each transaction is converted once, at the European Central Bank’s rate of its purchase day or the last of the seven days before.',
    },
  })
  .put('', ({ ctx, body }) => setOrganizationSettings(ctx, body), {
    forOrganization: { permission: 'integration:manage' },
    body: ChangeOrganizationSettings,
    response: { 200: OrganizationSettings },
    detail: {
      operationId: 'setOrganizationSettings',
      summary: 'Set the currency of the organization',
      description:
        'Nothing that is stored changes: figures of the past are shown in it too, each transaction at the rate of its own day. A currency without exchange rates is refused.',
    },
  });
