import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { MANAGERS } from '../../../shared/permissions.ts';
import { CurrentSession, Done } from '../accounts/model.ts';
import { sendCookies } from '../accounts/visitor.ts';
import {
  CreateOrganizationBody,
  LeaveBody,
  Organization,
  SetActiveBody,
  UpdateOrganizationBody,
} from './model.ts';
import {
  createOwnOrganization,
  leaveOrganization,
  listOrganizations,
  renameOrganization,
  setActiveOrganization,
} from './organizations.ts';

export const organizationsRoutes = new Elysia({
  prefix: '/v1/auth/organization',
  detail: { tags: ['Organizations'] },
})
  .use(access)
  .get('/list', ({ ctx }) => listOrganizations(ctx), {
    forPerson: true,
    response: { 200: Type.Array(Organization) },
    detail: { summary: 'List the organizations that you belong to' },
  })
  .post('/create', ({ ctx, body, set }) => sendCookies(set, createOwnOrganization(ctx, body)), {
    forPerson: { errors: ['slug_taken', 'conflict'] },
    body: CreateOrganizationBody,
    response: { 200: Organization },
    detail: { summary: 'Make an organization, which becomes the active one' },
  })
  .post('/update', ({ ctx, body }) => renameOrganization(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['slug_taken'] },
    body: UpdateOrganizationBody,
    response: { 200: Organization },
    detail: { summary: 'Change the name or slug of the active organization' },
  })
  .post('/set-active', ({ ctx, body, set }) => sendCookies(set, setActiveOrganization(ctx, body)), {
    forPerson: { errors: ['not_found'] },
    body: SetActiveBody,
    response: { 200: CurrentSession },
    detail: { summary: 'Choose the organization that this session works in' },
  })
  .post('/leave', ({ ctx, body }) => leaveOrganization(ctx, body), {
    forPerson: { errors: ['not_found', 'conflict'] },
    body: LeaveBody,
    response: { 200: Done },
    detail: { summary: 'Leave an organization; its last owner cannot' },
  });
