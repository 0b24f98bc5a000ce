import { Type } from '@sinclair/typebox';
import { Email, Password, setPassword } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';

export const passwordResetCommand = defineCommand({
  name: 'password reset',
  summary: 'Set a new password for an account and end its sessions',
  input: Type.Object({
    email: { ...Email, description: 'Address of the account' },
    password: Type.Optional({
      ...Password,
      description: '10 to 128 characters; made up when left out',
    }),
  }),
  run: async (ctx, input) => {
    const data = await setPassword(ctx, input);
    return { data, text: `The password of ${data.email} is now ${data.password}` };
  },
});
