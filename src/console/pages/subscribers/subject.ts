export const SUBJECTS = ['mrr', 'active', 'trials', 'moves'] as const;
export type Subject = (typeof SUBJECTS)[number];

export const subjectOf = (text: string): Subject => SUBJECTS.find((one) => one === text) ?? 'mrr';
