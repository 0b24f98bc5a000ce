import type { Chapter } from '../../chapter.ts';

export const messagesChapter: Chapter = {
  name: 'messages',
  tables: ['message_settings', 'messages'],
};
