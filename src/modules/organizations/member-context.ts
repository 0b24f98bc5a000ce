import type { OrgContext } from '../../context.ts';
import type { Role } from '../../shared/permissions.ts';
import type { VisitorContext } from '../accounts/visitor.ts';

/** A signed-in member acting on their active organization. */
export type MemberContext = OrgContext & VisitorContext & { userId: string; role: Role };
