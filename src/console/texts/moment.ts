export const moment = {
  yours: (time: string) => `${time} where you are`,
} as const;
