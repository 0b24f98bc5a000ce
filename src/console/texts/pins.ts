import { counted } from './counted.ts';

export const pins = {
  full: (views: number) =>
    `Today holds ${counted(views, 'view', 'views')}. Remove one of them first.`,
} as const;
