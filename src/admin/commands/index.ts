import type { Command } from '../command.ts';
import { backendAssignCommand } from './backend-assign.ts';
import { backupCommand } from './backup.ts';
import { backupVerifyCommand } from './backup-verify.ts';
import { bootstrapCommand } from './bootstrap.ts';
import { eventsCompactCommand } from './events-compact.ts';
import { funnelWindowCommand } from './funnel-window.ts';
import { importRatesCommand } from './import-rates.ts';
import { keyCreateCommand } from './key-create.ts';
import { keyListCommand } from './key-list.ts';
import { keyRevokeCommand } from './key-revoke.ts';
import { limitsCommand } from './limits.ts';
import { memberListCommand } from './member-list.ts';
import { memberRoleCommand } from './member-role.ts';
import { migrateCommand } from './migrate.ts';
import { organizationDeleteCommand } from './organization-delete.ts';
import { organizationListCommand } from './organization-list.ts';
import { passwordResetCommand } from './password-reset.ts';
import { previewSetCommand } from './preview-set.ts';
import { restoreCommand } from './restore.ts';
import { retentionCommand } from './retention.ts';
import { secretsRotateCommand } from './secrets-rotate.ts';
import { signUpInviteCommand } from './sign-up-invite.ts';

/** Every command of `bun run admin`; one file each. */
export const COMMANDS: readonly Command[] = [
  backendAssignCommand,
  // The longer name first: a command line belongs to the first that fits.
  backupVerifyCommand,
  backupCommand,
  bootstrapCommand,
  eventsCompactCommand,
  funnelWindowCommand,
  importRatesCommand,
  keyCreateCommand,
  keyListCommand,
  keyRevokeCommand,
  limitsCommand,
  memberListCommand,
  memberRoleCommand,
  migrateCommand,
  organizationDeleteCommand,
  organizationListCommand,
  passwordResetCommand,
  restoreCommand,
  retentionCommand,
  secretsRotateCommand,
  previewSetCommand,
  signUpInviteCommand,
];
