export const company = {
  signIn: 'Sign in with your company',
  shortName: 'Short name of the organization',
  go: 'Go on',
  needed: 'Sign in with your company',
  neededWhy: 'This organization is opened by its own sign-in.',
  refused: {
    no_provider: 'No organization of this short name signs in by its company.',
    provider_away: 'Your company’s sign-in does not answer just now. Try again in a moment.',
    provider_refused: 'Your company’s sign-in did not let you in.',
    answer_not_valid: 'The answer of your company’s sign-in was not valid.',
    too_late: 'This sign-in was begun too long ago, or elsewhere. Begin again.',
    address_not_verified: 'Your company has not verified your mail address.',
    domain_not_allowed: 'Your mail address is of a domain that may not sign in here.',
    address_not_proved:
      'There is an account with your mail address that has not proved it. Have a new password mailed to you first.',
    linked_otherwise:
      'The account with your mail address belongs to somebody else at your company. Ask an owner.',
    no_refresh_token:
      'Your company’s sign-in gave no refresh token, without which a later removal is not seen. Ask its administrator to allow offline access.',
    no_group: 'You are in none of the groups that may sign in here.',
    removed: 'An owner removed you from this organization: ask for an invitation.',
  },
} as const;
