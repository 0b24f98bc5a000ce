export { digestsChapter } from './chapter.ts';
export { checkAlerts } from './check-alerts.ts';
export { destinationExists } from './queries.ts';
export { sendDigest } from './send.ts';
export { giveUpMessage, sendMessage } from './send-message.ts';
export { writeDigest } from './write.ts';
