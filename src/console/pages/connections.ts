/** Opened seldom and one after the other: as a chunk each they are larger together. */
export { Connect } from './connect/connect.tsx';
export { Messages } from './messages/messages.tsx';
export { Webhooks } from './webhooks/webhooks.tsx';
