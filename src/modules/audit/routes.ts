import { answerIn, jsonOrCsv } from '../../http/csv.ts';
import { taggedRoutes } from '../../http/route.ts';
import { auditCsv, listAuditEntries } from './list.ts';
import { AuditPage, AuditQuery, AuditSettings, ChangeAuditSettings } from './model.ts';
import { getAuditSettings, setAuditSettings } from './settings.ts';

export const auditRoutes = taggedRoutes('Organizations', '/v1/audit')
  .get(
    '',
    ({ ctx, request, query, set }) =>
      answerIn(
        { request, set },
        { json: () => listAuditEntries(ctx, query), csv: () => auditCsv(ctx, query) },
      ),
    {
      forOrganization: { permission: 'integration:manage' },
      query: AuditQuery,
      detail: {
        operationId: 'listAuditEntries',
        summary: 'Who changed what, newest first; with Accept: text/csv the changes as CSV',
        description:
          'Each change by a member, a key or the operator, written in the transaction of the change and kept for as many days as the organization says. Nobody can change or delete an entry; the erasure of a person puts a pseudonym in place of their ids. CSV has a line a change, of up to 10,000 entries whatever `limit` says; with the last `id` as `cursor` it goes on.',
        responses: { 200: { description: 'The entries.', content: jsonOrCsv(AuditPage) } },
      },
    },
  )
  .get('/settings', ({ ctx }) => getAuditSettings(ctx), {
    forOrganization: { permission: 'integration:manage' },
    response: { 200: AuditSettings },
    detail: {
      operationId: 'getAuditSettings',
      summary: 'For how many days the audit is kept',
      description: 'Without a choice 400.',
    },
  })
  .put('/settings', ({ ctx, body }) => setAuditSettings(ctx, body), {
    forOrganization: { permission: 'integration:manage' },
    body: ChangeAuditSettings,
    response: { 200: AuditSettings },
    detail: {
      operationId: 'setAuditSettings',
      summary: 'Set for how many days the audit is kept',
      description:
        'Of a shorter time than before, older entries are deleted soon and for good: owners who are signed in may choose it, nobody else. The change itself is an entry.',
    },
  });
