import { Type } from '@sinclair/typebox';
import { inviteToSignUp } from '../../modules/accounts/invite-to-sign-up.ts';
import { Email } from '../../modules/accounts/model.ts';
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
