/** The texts of the sign-in. */
export const texts = {
  title: 'Sign in',
  username: 'Username',
  password: 'Password',
  code: 'Code of your authenticator app',
  submit: 'Sign in',
  passkey: 'Sign in with a passkey',
  passkeyAsWell: 'Continue with your passkey',
  passkeyCancelled: 'No passkey was used. Try again, or sign in in another way.',
  or: 'or',
  provider: 'Sign in with',
  firstStart: 'First time here?',
  firstStartHelp:
    'The first start of the server showed a username and a password of Palisade in its terminal, this once. Where it runs as a service, it wrote them to first-owner.txt in its data directory.',
  insecure:
    'Browsers keep the cookie of a session only over HTTPS or on this machine itself. Open the address of the server that begins with https://.',
} as const
