import type { MemberContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { ROLE_PERMISSIONS } from '../../../shared/permissions.ts';
import { audit } from '../organizations/audit.ts';
import { createKey } from './create-key.ts';
import type { CreatedKey, NewKey } from './model.ts';

/** Makes a key with permissions that its creator holds too; otherwise `permission_denied`. */
export async function createOwnKey(ctx: MemberContext, input: NewKey): Promise<CreatedKey> {
  const beyond = input.permissions.filter((wanted) => !ROLE_PERMISSIONS[ctx.role].includes(wanted));
  if (beyond.length > 0) {
    throw new AppError('permission_denied', 'A key cannot do more than its creator.', {
      hint: `permissions: you do not hold ${beyond.join(', ')}`,
    });
  }
  const made = await createKey(ctx, { ...input, orgId: ctx.orgId, userId: ctx.userId });
  audit(ctx, 'key_created', { keyId: made.key.id, permissions: input.permissions });
  return made;
}
