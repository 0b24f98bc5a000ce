import type { Command } from '../command.ts';
import * as accounts from './accounts.ts';
import * as apps from './apps.ts';
import * as backups from './backups.ts';
import * as events from './events.ts';
import * as imports from './imports.ts';
import * as installation from './installation.ts';
import * as organizations from './organizations.ts';
import * as releases from './releases.ts';
import * as secrets from './secrets.ts';

export const COMMANDS: readonly Command[] = [
  accounts,
  apps,
  backups,
  events,
  imports,
  installation,
  organizations,
  releases,
  secrets,
].flatMap((file) => Object.values(file));
