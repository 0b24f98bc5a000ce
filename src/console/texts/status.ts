export const status = {
  title: 'Status',
  question: 'What runs?',
  ok: 'Everything runs.',
  notOk: 'Something is away; the rest goes on.',
  dependency: 'Dependency',
  state: 'State',
  detail: 'What it means',
  checked: 'Checked',
  up: 'up',
  down: 'down',
} as const;
