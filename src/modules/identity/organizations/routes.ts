import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { MANAGERS } from '../../../shared/permissions.ts';
import { withCookies } from '../accounts/visitor.ts';
import { CurrentSession, Done } from '../model/account.ts';
import { OrganizationSecurity, OrganizationSecurityBody } from '../model/second-factor.ts';
import * as organization from '../model/organization.ts';
import * as organizations from './organizations.ts';
import { setSecurity, showSecurity } from './security.ts';

export const organizationsRoutes = taggedRoutes('Organizations', '/v1/auth/organization')
  .get('/list', ({ ctx, query }) => organizations.listOrganizations(ctx, query.app ?? null), {
    forSelf: true,
    query: organization.ListQuery,
    response: { 200: Type.Array(organization.Organization) },
    detail: {
      operationId: 'listOrganizations',
      summary: 'List the organizations that you belong to',
      description: 'Oldest membership first.',
    },
  })
  .post('/create', withCookies(organizations.createOwnOrganization), {
    forPerson: { errors: ['slug_taken', 'conflict'] },
    body: organization.CreateOrganizationBody,
    response: { 200: organization.Organization },
    detail: {
      operationId: 'createOrganization',
      summary: 'Make an organization, which becomes the active one',
      description:
        'Its maker is its owner. One person is in at most 50 organizations; an account without a proved address makes at most 3.',
    },
  })
  .post('/update', ({ ctx, body }) => organizations.renameOrganization(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['slug_taken'] },
    body: organization.UpdateOrganizationBody,
    response: { 200: organization.Organization },
    detail: {
      operationId: 'updateOrganization',
      summary: 'Change the name or slug of the active organization',
      description: 'What is left out stays; a slug is unique over all organizations.',
    },
  })
  .post('/set-active', withCookies(organizations.setActiveOrganization), {
    forSelf: { errors: ['not_found'] },
    body: organization.SetActiveBody,
    response: { 200: CurrentSession },
    detail: {
      operationId: 'setActiveOrganization',
      summary: 'Choose the organization that this session works in',
      description: 'null: none. Every route of an organization then answers for the chosen one.',
    },
  })
  .get('/security', ({ ctx }) => showSecurity(ctx), {
    forMember: true,
    response: { 200: OrganizationSecurity },
    detail: {
      operationId: 'getOrganizationSecurity',
      summary: 'Say what the active organization asks of its members',
      description: 'Without a setting nothing.',
    },
  })
  .put('/security', ({ ctx, body }) => setSecurity(ctx, body), {
    forMember: { roles: ['owner'], errors: ['conflict'] },
    body: OrganizationSecurityBody,
    response: { 200: OrganizationSecurity },
    detail: {
      operationId: 'setOrganizationSecurity',
      summary: 'Require a second factor of every member',
      description:
        'Members without one are refused at once, until they have one; keys go on. An owner who requires it has one.',
    },
  })
  .post('/leave', ({ ctx, body }) => organizations.leaveOrganization(ctx, body), {
    forSelf: { errors: ['not_found', 'conflict'] },
    body: organization.LeaveBody,
    response: { 200: Done },
    detail: {
      operationId: 'leaveOrganization',
      summary: 'Leave an organization; its last owner cannot',
      description: 'Keys that the person made stay: they belong to the organization.',
    },
  });
