import { Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';

const Ref = Type.String({ pattern: '^[a-z]{20}$' });

export const projectAnswer = parser(
  Type.Object({ ref: Ref, name: Type.String() }),
  'backend project',
);

export const projectsAnswer = parser(
  Type.Object({ projects: Type.Array(Type.Object({ ref: Ref, name: Type.String() })) }),
  'backend projects of the organization',
);

export const healthAnswer = parser(
  Type.Array(Type.Object({ name: Type.String(), healthy: Type.Boolean(), status: Type.String() }), {
    minItems: 1,
  }),
  'backend health',
);
