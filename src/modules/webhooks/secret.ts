import type { SecretScope } from '../../storage/secrets/secrets.ts';

export const webhookSecretScope = (orgId: string): SecretScope => ({ orgId, purpose: 'webhook' });
