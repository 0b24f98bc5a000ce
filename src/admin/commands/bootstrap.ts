import { Type } from '@sinclair/typebox';
import { bootstrap, Email, Password } from '../../modules/identity/index.ts';
import { Text } from '../../shared/text.ts';
import { defineCommand } from '../command.ts';
import { EXISTING } from './existing.ts';

export const bootstrapCommand = defineCommand({
  name: 'bootstrap',
  summary: 'Create an organization, its owner and a key with every permission',
  input: Type.Object({
    org: Text(1, 80, { description: 'Name of the organization; a new one is made each time' }),
    email: { ...Email, description: 'Address of the owner; an existing account is used' },
    password: Type.Optional({
      ...Password,
      description: 'For a new account, 10 to 128 characters; made up when left out',
    }),
    existing: EXISTING,
  }),
  run: async (ctx, { org, email, password, existing }) => {
    const data = await bootstrap(ctx, { organization: org, email, password, existing });
    return {
      data,
      text: [
        `Organization  ${data.organizationId}`,
        `Owner         ${data.email} (${data.userId})`,
        `Password      ${data.password ?? 'unchanged: the account was there before'}`,
        `API key       ${data.apiKey}`,
        '',
        'The key and the password are not shown again.',
      ].join('\n'),
    };
  },
});
