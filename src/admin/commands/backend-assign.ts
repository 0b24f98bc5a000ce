import { Type } from '@sinclair/typebox';
import { assignBackend } from '../../modules/backend/index.ts';
import { defineCommand } from '../command.ts';

export const backendAssignCommand = defineCommand({
  name: 'backend assign',
  summary: 'Let the apps of an organization use a backend project that exists',
  input: Type.Object({
    org: Type.String({ description: 'Id of the organization' }),
    ref: Type.String({ description: "The provider's ref of the project" }),
  }),
  run: async (ctx, { org, ref }) => {
    const data = await assignBackend(ctx, { orgId: org, projectRef: ref });
    return { data, text: `${data.projectRef} may be used by ${data.orgId}.` };
  },
});
