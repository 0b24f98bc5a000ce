export const door = {
  signIn: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'New password',
  name: 'Your name',
  organization: 'Name of the organization',
  forgotten: 'I forgot my password',
  first: 'Welcome',
  firstWhy: 'Nobody has an account here yet. The first one owns the organization.',
  firstButton: 'Create the account',
  code: 'Code of the first account',
  codeRule: 'Printed when the service started: it shows that you run it.',
  passwordRule: '10 characters or more, and none that is well known.',
  noOrganization: 'Name your organization',
  noOrganizationWhy:
    'You belong to no organization. Create one, or open the link of an invitation.',
  create: 'Create',
} as const;
