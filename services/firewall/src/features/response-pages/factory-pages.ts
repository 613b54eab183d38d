import type { FactoryObject } from '../../kinds/kind.ts'
import { button, htmlPage, page, paragraph } from './page.ts'

/** What a client may tell an administrator who looks for the reason. */
const supportNumber = paragraph('Support number: %log-id')

const tryAgain = paragraph('<a href="%login-path">Try again</a>')

/** The pages that a fresh installation answers with. */
export const factoryPages: readonly FactoryObject[] = [
  page('default', {
    type: 'Error Pages',
    status: '403 Forbidden',
    body: htmlPage('Request refused', paragraph('This request was not let through.'), supportNumber),
  }),
  page('default-error-resp', {
    type: 'Error Pages',
    status: '503 Service Unavailable',
    body: htmlPage(
      'Not available',
      paragraph('The site cannot answer this request at the moment.'),
      supportNumber,
    ),
  }),
  page('default-json-response-page', {
    type: 'Error Pages',
    status: '403 Forbidden',
    contentType: 'application/json',
    body: JSON.stringify({ error: 'This request was not let through.', supportNumber: '%log-id' }),
  }),
  page('default-virus', {
    type: 'Error Pages',
    status: '403 Forbidden',
    body: htmlPage(
      'File refused',
      paragraph('A file that was sent was found to be harmful and was not passed on.'),
      supportNumber,
    ),
  }),
  page('default-suspected-activity-error-page', {
    type: 'Error Pages',
    status: '403 Forbidden',
    body: htmlPage(
      'Unusual activity',
      paragraph(
        'Requests from your network or browser look like those of a program. Please try again later.',
      ),
      supportNumber,
    ),
  }),
  page('default-fingerprint-challenges-exceeded-page', {
    type: 'Error Pages',
    status: '429 Too Many Requests',
    body: htmlPage(
      'Browser not recognised',
      paragraph(
        'Your browser was asked several times to identify itself and did not. Please allow scripts and cookies for this site and try again later.',
      ),
      supportNumber,
    ),
  }),
  // The service that redirects to HTTPS adds the header Location.
  page('default-hsts-redirect-page', {
    type: 'Other Pages',
    status: '301 Moved Permanently',
    body: htmlPage('Moved', paragraph('This site is reached over HTTPS.')),
  }),
  page('default-captcha-response-page', {
    type: 'Captcha Pages',
    status: '403 Forbidden',
    body: htmlPage(
      'One moment, please',
      paragraph(
        'This site makes sure that a browser asks for its pages. Yours solves a small riddle for that; you need not do anything.',
      ),
      '%challenge',
      supportNumber,
    ),
  }),
  page('default-captcha-tries-error-page', {
    type: 'Captcha Pages',
    status: '429 Too Many Requests',
    body: htmlPage(
      'Too many attempts',
      paragraph('The riddle was solved wrongly too often. Please try again later.'),
    ),
  }),
  page('default-captcha-sessions-error-page', {
    type: 'Captcha Pages',
    status: '429 Too Many Requests',
    body: htmlPage(
      'Too many riddles',
      paragraph(
        'Your network was asked too many riddles and did not answer. Please allow scripts and cookies for this site and try again later.',
      ),
    ),
  }),
  page('default-login-page', {
    type: 'Access Control Pages',
    status: '200 OK',
    body: htmlPage('Log in', loginForm()),
  }),
  page('default-dual-login-page', {
    type: 'Access Control Pages',
    status: '200 OK',
    body: htmlPage(
      'Log in a second time',
      paragraph('This application asks for a second proof of who you are.'),
      loginForm(),
    ),
  }),
  page('default-challenge-page', {
    type: 'Access Control Pages',
    status: '200 OK',
    body: htmlPage(
      'One more step',
      paragraph('Please answer with the code that you were sent or that your device shows.'),
      [
        '<form method="post" action="/nclogin.submit">',
        '<input type="hidden" name="f_method" value="LOGIN">',
        '<p><label>User name <input name="challenge_user" autocomplete="username" required></label></p>',
        '<p><label>Code <input type="password" name="challenge_prompt" autocomplete="one-time-code" required></label></p>',
        button('Continue'),
        '</form>',
      ].join('\n'),
    ),
  }),
  page('default-idp-selection-page', {
    type: 'Access Control Pages',
    status: '200 OK',
    body: htmlPage(
      'Where do you log in?',
      paragraph(
        'This application is open to several organisations. Please follow the link that yours gave you.',
      ),
    ),
  }),
  page('default-login-failed-page', {
    type: 'Access Control Pages',
    status: '403 Forbidden',
    body: htmlPage(
      'Not logged in',
      paragraph('The user name or the password is wrong, or there were too many attempts.'),
      tryAgain,
      supportNumber,
    ),
  }),
  page('default-dual-login-failed-page', {
    type: 'Access Control Pages',
    status: '403 Forbidden',
    body: htmlPage('Not logged in', paragraph('The second proof was not accepted.'), tryAgain),
  }),
  page('default-access-denied-page', {
    type: 'Access Control Pages',
    status: '403 Forbidden',
    body: htmlPage('No access', paragraph('You are logged in, but may not use this page.'), supportNumber),
  }),
  page('default-login-success-page', {
    type: 'Access Control Pages',
    status: '200 OK',
    body: htmlPage('Logged in', paragraph('You are logged in.'), paragraph('<a href="/">Continue</a>')),
  }),
  page('default-logout-success-page', {
    type: 'Access Control Pages',
    status: '200 OK',
    body: htmlPage('Logged out', paragraph('You are logged out.'), paragraph('<a href="/">Log in again</a>')),
  }),
]

/** Sends what is read at the login-processor-path of a service. */
function loginForm(): string {
  return [
    '<form id="nclogin" name="login" method="post" action="%login-path">',
    '<input type="hidden" name="f_method" value="LOGIN">',
    '<p><label>User name <input name="f_username" autocomplete="username" required></label></p>',
    '<p><label>Password <input type="password" name="f_passwd" autocomplete="current-password" required></label></p>',
    button('Log in'),
    '</form>',
  ].join('\n')
}
