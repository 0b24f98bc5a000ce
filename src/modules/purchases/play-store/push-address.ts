import { toPublicUrl } from '../../../shared/own-origin.ts';

/** The audience of the tokens, too. */
export const pushAddress = (config: Parameters<typeof toPublicUrl>[0], appId: string): string =>
  `${toPublicUrl(config)}/v1/purchases/play-store/notifications/${appId}`;
