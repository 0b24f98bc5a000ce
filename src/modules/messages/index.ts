export { messagesChapter } from './chapter.ts';
export { enqueueMessage } from './enqueue-message.ts';
export {
  ChangeMessageSettings,
  Message,
  type MessageKind,
  MessageSettings,
  type QuietHours,
  wants,
} from './model.ts';
export { type PurchaseNews, purchaseLine } from './purchase-line.ts';
export {
  deleteOldMessages,
  forgetEnsuredChecks,
  markChecksEnsured,
  markSent,
  selectChecksWithoutRun,
  selectMessageSettings,
  selectPending,
  selectPendingOrganizations,
  switchMessagesOff,
  upsertMessageSettings,
} from './queries.ts';
