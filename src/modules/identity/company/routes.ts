import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { taggedRoutes } from '../../../http/route.ts';
import { withCookies } from '../accounts/visitor.ts';
import { Done } from '../model/account.ts';
import * as company from '../model/company.ts';
import { finishCompanySignIn } from './finish.ts';
import { endCompanySessions } from './logout.ts';
import { deleteProvider, setProvider, showProvider } from './provider.ts';
import { joinCompany, startCompanySignIn, type Way } from './start.ts';

function lead({ location, cookies }: Way): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

const providerRoutes = taggedRoutes('Organizations', '/v1/auth/organization/provider')
  .get('', ({ ctx }) => showProvider(ctx), {
    forMember: { roles: ['owner'] },
    response: { 200: company.SignInProvider },
    detail: {
      operationId: 'getSignInProvider',
      summary: 'By which OpenID Connect provider members sign in',
      description: 'And the addresses to register there. The client secret is not shown.',
    },
  })
  .put('', ({ ctx, body }) => setProvider(ctx, body), {
    forMember: { roles: ['owner'], errors: ['conflict', 'secret_storage_unavailable'] },
    body: company.SignInProviderBody,
    response: { 200: company.SignInProvider },
    detail: {
      operationId: 'setSignInProvider',
      summary: 'Set the OpenID Connect provider of the active organization',
      description:
        'Its discovery document is read first, and what is wrong is said. Another issuer or client ends the sessions that came by the former. Only who came by it makes it the only way.',
    },
  })
  .delete('', ({ ctx }) => deleteProvider(ctx), {
    forMember: { roles: ['owner'], errors: ['not_found', 'conflict'] },
    response: { 200: Done },
    detail: {
      operationId: 'deleteSignInProvider',
      summary: 'Sign in by passwords again',
      description: 'Ends the sessions that came by the provider. Accounts and memberships stay.',
    },
  });

const signInRoutes = taggedRoutes('Accounts', '/v1/auth/oidc')
  .get('/start', async ({ ctx, query }) => lead(await startCompanySignIn(ctx, query)), {
    open: { limit: 'default' },
    query: company.StartQuery,
    response: { 303: Type.Void() },
    detail: {
      operationId: 'startCompanySignIn',
      summary: 'Go to the provider of an organization to sign in',
      description: 'For browsers: leads to the provider, or back to the console with the reason.',
    },
  })
  .post('/join', withCookies(joinCompany), {
    forPerson: { errors: ['not_found'] },
    body: company.JoinBody,
    response: { 200: company.JoinStarted },
    detail: {
      operationId: 'joinCompany',
      summary: 'Join your account to the sign-in of an organization',
      description:
        'For browsers: go to `location`, in the same one and within ten minutes. Whoever signs in there has to have the address of this account, which then opens the organization by its provider too, and is told by mail.',
    },
  })
  .get(
    '/callback/:organizationId',
    async ({ ctx, params, request }) =>
      lead(await finishCompanySignIn(ctx, { ...params, search: new URL(request.url).search })),
    {
      open: { limit: 'default' },
      params: company.OfOrganization,
      query: company.CallbackQuery,
      response: { 303: Type.Void() },
      detail: {
        operationId: 'finishCompanySignIn',
        summary: 'Come back from the provider; sets the session cookie',
        description:
          'For browsers, within ten minutes of the start, in the same one. Leads to the console, signed in, or with the reason behind `#refused=`.',
      },
    },
  )
  .post(
    '/backchannel-logout/:organizationId',
    async ({ ctx, params, body, set }) => {
      await endCompanySessions(ctx, { ...params, token: body.logout_token });
      set.headers['cache-control'] = 'no-store';
      return { status: true as const };
    },
    {
      open: { limit: 'default', protocol: { form: 'read' }, errors: ['invalid_signature'] },
      params: company.OfOrganization,
      body: company.LogoutBody,
      response: { 200: Done },
      detail: {
        operationId: 'endCompanySessions',
        summary: 'Sign out whom the provider has signed out',
        description:
          'OpenID Connect Back-Channel Logout: a form with the `logout_token` of the issuer.',
      },
    },
  );

export const companyRoutes = new Elysia().use(providerRoutes).use(signInRoutes);
