import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { listAuditEntries } from './list.ts';
import { AuditPage, AuditQuery } from './model.ts';

export const auditRoutes = new Elysia({ prefix: '/v1/audit', detail: { tags: ['Organizations'] } })
  .use(access)
  .get('', ({ ctx, query }) => listAuditEntries(ctx, query), {
    forOrganization: { permission: 'integration:manage' },
    query: AuditQuery,
    response: { 200: AuditPage },
    detail: {
      operationId: 'listAuditEntries',
      summary: 'Who changed what, newest first',
      description:
        'Each change by a member, a key or the operator, written in the transaction of the change and kept for 400 days. Nobody can change or delete an entry; the erasure of a person puts a pseudonym in place of their ids.',
    },
  });
