import { decodedDeeply } from './decoded-deeply.ts'

/** What a name of a secret has anywhere in it, in the languages of many applications. */
const anywhere =
  'pass(?:word|wd|phrase|code|wort)|kennwort|wachtwoord|motdepasse|contrase(?:n|ñ)a|secret|credential|socialsecurity|connectionstring'

/** How one ends. */
const atTheEnd = [
  '(?:^|j|user|new|old|db|login)pass\\d*|pwd\\d*|senha|mdp|token|authorization|signature|verifier|sessionid|sessid',
  '(?:api|access|private|session|encryption|signing|ssh|auth|app|consumer|subscription|master)key',
  '(?:pin|security|verification|onetime|recovery|backup)code|creditcard|card(?:no|num|number)|cc(?:num|number)',
].join('|')

/** What is one as a whole. */
const wholly =
  'pw|pin|otp|totp|mfacode|jwt|auth|bearer|cvv2?|cvc2?|cvn|csc|cardcode|pan|ccv|iban|ssn|puk|sid|sig|[cx]srf|session|samlresponse|(?:client)?assertion'

const secretName = new RegExp(`${anywhere}|(?:${atTheEnd})$|^(?:${wholly})$`)

/** Without one of these no text names a secret; those of most requests have none. */
const wordOfSecret =
  /pass|kennwort|wachtwoord|motdepasse|contrase|secret|cred|social|connection|pwd|senha|mdp|token|key|auth|signature|verif|code|card|cc|pw|pin|otp|mfa|jwt|bearer|cv|csc|pan|iban|ssn|puk|sid|sig|srf|sess|saml|assertion/i

/** What a name may have in it that means nothing to some applications. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const idle = /[-_+\s\x00-\x1f\x7f]/g

/**
 * Whether a name is one of those that hold secrets in most applications, without regard to case, `-`, `_` and blanks. Values of such
 * parameters are masked in every service, beside those of the names in `sensitive-parameter-names`.
 *
 * @param name decoded
 */
export function namesSecret(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(idle, ''))
}

/** Whether a text, however it is encoded, may have a name for which {@link namesSecret} holds; most addresses do not. */
export function mayNameSecret(text: string): boolean {
  const decoded = /[%\\\xc0-\xff]/.test(text) ? decodedDeeply(text) : text
  return wordOfSecret.test(decoded.replace(idle, ''))
}
