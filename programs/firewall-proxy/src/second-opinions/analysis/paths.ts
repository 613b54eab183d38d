import { isSentence, readableText } from './text.ts'

/** A way upwards, in any coding: of a path, of percent signs, of overlong UTF-8. */
const upwards =
  /\.\.(?:[/\\;]|%|$|\0)|(?:%|0x|\\x|\\u00|%u00)(?:25)*(?:2e|2f|5c)|%c0|%e0|%u2216|%u2215|\.{2,}[/\\]|[/\\]\.{2,}/i

const scheme = /\b(?:file|php|phar|zip|data|expect|gopher|dict|jar|netdoc|ftp|ldap|glob|compress)[.\w]*:\/\//i

/** As scopes and events are called: `openid user.profile`. The file of that name begins with the dot. */
const namesOfProfiles = /^[a-z][\w:-]*(?:\.[\w:-]+)*(?:[\s,|]+[a-z][\w:-]*(?:\.[\w:-]+)*){0,50}$/i

/**
 * Why a text names no file that an application could be made to open: it is a sentence that mentions one, or an address on the web.
 *
 * @param value a byte string
 * @returns undefined where it may do harm, or that is not certain
 */
export function whyHarmlessPaths(value: string): string | undefined {
  const text = readableText(value)
  if (text === undefined || upwards.test(text) || scheme.test(text)) return undefined
  if (text.split(/[\s,]+/, 50).every(isWebAddress))
    return 'it is an address on the web, and leads to no file of this server'
  if (text.includes('.profile') && namesOfProfiles.test(text))
    return 'it is a name with dots in it, which does not begin with one'
  if (isSentence(text) && !/[\r\n]\s*[/~\\.]/.test(text))
    return 'it is a sentence that mentions a file, and no name of one'
  return undefined
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[A-Za-z0-9](?:[A-Za-z0-9-]*\.)+[A-Za-z]{2,24}(?::\d{1,5})?(?:[/?#][\w\-.~!$&'()*+,;=:@/?#%]*)?$/.test(
    text,
  )
}
