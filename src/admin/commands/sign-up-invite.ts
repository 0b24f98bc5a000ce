import { Type } from '@sinclair/typebox';
import { Email, inviteToSignUp } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';

export const signUpInviteCommand = defineCommand({
  name: 'sign-up invite',
  summary: 'Let somebody make an account where sign-up is by invitation',
  input: Type.Object({ email: { ...Email, description: 'Address that the account will have' } }),
  run: async (ctx, input) => {
    const data = await inviteToSignUp(ctx, input);
    return { data, text: `${data.link}\n\nGood until ${data.expiresAt}; it is not shown again.` };
  },
});
