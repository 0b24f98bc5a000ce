export const account = {
  title: 'Account',
  question: 'Who am I here?',
  password: 'Change the password',
  current: 'Current password',
  next: 'New password',
  change: 'Change it',
  others: 'Sign out everywhere else',
  changed: 'Done. Every other session has ended.',
  organization: 'New organization',
  organizationName: 'Name',
  create: 'Create it',
} as const;
