import { createHmac, randomBytes } from 'node:crypto'

/*
 * A token is MIME base64 (lines of 76 characters, each ended by a line feed, the last one too) of a JSON object
 * with three texts:
 *
 *   et        when the token expires, in Unix seconds
 *   user      who logged in
 *   password  32 hexadecimal digits: a keyed digest over the user, the stored hash of the password, et and a
 *             nonce, so that it differs for each token and nothing can be computed back from it
 *
 * Clients damage the line feeds on the way: a token is compared by its reduced text, which is its base64 alone.
 */

const lineLength = 76
const nonceSizeBytes = 16
const passwordDigits = 32

/** Makes the text of a new token, which nobody without the key can guess. */
export function newTokenText(
  key: Buffer,
  { username, passwordHash, expiresAt }: { username: string; passwordHash: string; expiresAt: number },
): string {
  const et = String(Math.floor(expiresAt / 1000))
  const password = createHmac('sha256', key)
    .update(JSON.stringify(['firewall token', username, passwordHash, et]))
    .update(randomBytes(nonceSizeBytes))
    .digest('hex')
    .slice(0, passwordDigits)
  return inLines(Buffer.from(JSON.stringify({ et, user: username, password })).toString('base64'))
}

/** The token as it is handed out, from its reduced text. */
export function inLines(reduced: string): string {
  return reduced.replace(new RegExp(`.{1,${lineLength}}`, 'g'), '$&\n')
}

/**
 * The reduced text of the token that a request presents: HTTP Basic with the token as user name. Understood are
 * tokens with their line feeds, without them, with the two characters backslash and n in their place (also
 * doubled), followed by a carriage return, in quotation marks, with or without a colon, in the place of the password, or with
 * their second half there. Whatever stands in the password's place otherwise is ignored.
 *
 * @returns undefined when the header is not HTTP Basic or holds no token
 */
export function presentedToken(authorization: string): string | undefined {
  const encoded = /^basic +(\S+) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString('latin1')
  // A run of backslashes is looked at from its first one only: from each of them, a long one would take as many steps as its square.
  const withoutEscapes = credentials.replace(/(?<!\\)\\+[nr]/g, '')
  const [user = '', password = ''] = withoutEscapes.replace(/[^A-Za-z0-9+/=:]/g, '').split(':')
  const isHalf = user !== '' && password !== '' && !isWhole(user) && isWhole(user + password)
  return (isHalf ? user + password : user || password) || undefined
}

/** Whether the text is the base64 of a JSON object to its end. */
function isWhole(text: string): boolean {
  return Buffer.from(text, 'base64').toString('latin1').endsWith('}')
}
