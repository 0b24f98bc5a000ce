import { counted } from './counted.ts';

export const pins = {
  title: 'Pinned',
  pin: 'Pin to Today',
  unpin: 'Unpin',
  full: (views: number) => `Today holds ${counted(views, 'view', 'views')}. Unpin one first.`,
  retention: (interval: string) => `came back after one ${interval}, mean`,
} as const;
