import { Type } from '@sinclair/typebox';

/** The option `--org` of commands that concern one organization. */
export const ORG = Type.String({ description: 'Id of the organization' });
