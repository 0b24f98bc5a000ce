export { Connect } from './connect/connect.tsx';
export { Messages } from './messages/messages.tsx';
export { Webhooks } from './webhooks/webhooks.tsx';
