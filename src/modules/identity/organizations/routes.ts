import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { memberContext, personContext, sendCookies } from '../../../http/people.ts';
import { userContext } from '../../../http/state.ts';
import { CurrentSession, Done } from '../accounts/model.ts';
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
  .get('/list', ({ request }) => listOrganizations(userContext(request)), {
    response: { 200: Type.Array(Organization) },
    detail: { summary: 'List the organizations that you belong to' },
  })
  .post(
    '/create',
    async ({ request, body, set }) =>
      sendCookies(set, await createOwnOrganization(personContext(request), body)),
    {
      body: CreateOrganizationBody,
      response: { 200: Organization },
      detail: { summary: 'Make an organization, which becomes the active one' },
    },
  )
  .post('/update', ({ request, body }) => renameOrganization(memberContext(request), body), {
    body: UpdateOrganizationBody,
    response: { 200: Organization },
    detail: { summary: 'Change the name or slug of the active organization' },
  })
  .post(
    '/set-active',
    async ({ request, body, set }) =>
      sendCookies(set, await setActiveOrganization(personContext(request), body)),
    {
      body: SetActiveBody,
      response: { 200: CurrentSession },
      detail: { summary: 'Choose the organization that this session works in' },
    },
  )
  .post('/leave', ({ request, body }) => leaveOrganization(personContext(request), body), {
    body: LeaveBody,
    response: { 200: Done },
    detail: { summary: 'Leave an organization; its last owner cannot' },
  });
