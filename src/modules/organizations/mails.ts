import type { Mail } from '../../providers/mail/port.ts';

/** Header values must stay on one line, whatever somebody called their organization. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 120);
}

/** Where the console lets the invited person sign up or sign in and accept. */
export function invitationLink(consoleUrl: string, invitationId: string): string {
  return `${consoleUrl}/accept-invitation?id=${encodeURIComponent(invitationId)}`;
}

/** Where an account is made with the secret that an operator handed out. */
export function signUpLink(consoleUrl: string, invitationId: string): string {
  return `${consoleUrl}/sign-up?invitation=${encodeURIComponent(invitationId)}`;
}

export function passwordResetLink(consoleUrl: string, token: string): string {
  return `${consoleUrl}/reset-password?token=${encodeURIComponent(token)}`;
}

type Invitation = {
  invitationId: string;
  email: string;
  organizationName: string;
  inviterEmail: string;
};

export function invitationMail(consoleUrl: string, invitation: Invitation): Mail {
  const organization = oneLine(invitation.organizationName);
  return {
    to: invitation.email,
    subject: `Invitation to ${organization}`,
    text: [
      `${invitation.inviterEmail} invites you to join ${organization}.`,
      '',
      `Accept within 48 hours: ${invitationLink(consoleUrl, invitation.invitationId)}`,
      '',
      'If you did not expect this, ignore it: nothing happens until you accept.',
    ].join('\n'),
  };
}

export function passwordResetMail(
  consoleUrl: string,
  reset: { email: string; token: string },
): Mail {
  return {
    to: reset.email,
    subject: 'Reset your password',
    text: [
      'Somebody, hopefully you, asked to reset the password of this account.',
      '',
      `Set a new one within an hour: ${passwordResetLink(consoleUrl, reset.token)}`,
      '',
      'If it was not you, ignore this: the password stays as it is.',
    ].join('\n'),
  };
}
