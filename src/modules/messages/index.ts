export { messagesChapter } from './chapter.ts';
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
  markTold,
  selectChecksWithoutRun,
  selectMessageSettings,
  selectUntold,
  selectUntoldOrganizations,
  switchMessagesOff,
  upsertMessageSettings,
} from './queries.ts';
export { tell } from './tell.ts';
