import { type Parameter, parametersOf } from '../../conditions/query-parameters.ts'
import { withoutQuery } from '../../exchange/address.ts'
import type { LinkUse } from '../../html/links.ts'
import type { Sealer } from '../sealer.ts'

/** How encrypted addresses begin. What follows is sealed: a letter for its use, then path and query. */
export const encryptedPrefix = '/~enc~'

const letters: Readonly<Record<LinkUse, string>> = { link: 'l', form: 'f' }

/** @param target path and query @param context for which alone it is good */
export function encryptedUrl(sealer: Sealer, target: string, use: LinkUse, context: string): string {
  return encryptedPrefix + sealer.seal(letters[use] + target, context)
}

/** What an encrypted address asks for, or a sentence that says what was done to it. */
export type DecryptedUrl = { readonly target: string } | { readonly manipulation: string }

/**
 * Decrypts the address of a request. Scripts may append a query, with "?" or "&": its parameters are put behind those that were
 * encrypted, as long as no server could take the name of one of them for the name of one of these. Behind the address of a form a
 * query stands in the place of the one that was encrypted, as browsers do it with the fields of forms.
 *
 * @param encrypted beginning with {@link encryptedPrefix}
 */
export function decryptedUrl(sealer: Sealer, encrypted: string, context: string): DecryptedUrl {
  const [, token = '', appended = ''] =
    /^([A-Za-z0-9_-]*)([\s\S]*)$/.exec(encrypted.slice(encryptedPrefix.length)) ?? []
  const text = sealer.open(token, context)
  if (text === undefined) {
    return { manipulation: 'An encrypted address was changed, or is older than the keys that are kept.' }
  }
  const target = text.slice(1)
  if (appended === '') return { target }
  if (!/^[?&]/.test(appended)) return { manipulation: 'Something was put behind an encrypted address.' }
  const query = appended.slice(1)
  if (query === '') return { target }
  if (text.startsWith(letters.form) && appended.startsWith('?'))
    return { target: `${withoutQuery(target)}?${query}` }
  const own = target.slice(withoutQuery(target).length + 1)
  const names = new Set(namesIn(own))
  if (namesIn(query).some((name) => names.has(name))) {
    return { manipulation: 'A parameter of an encrypted address was given again.' }
  }
  return { target: own === '' ? `${withoutQuery(target)}?${query}` : `${target}&${query}` }
}

/** What servers may call the parameters of a query, some of which separate them by ";" too. */
function namesIn(query: string): string[] {
  return parametersOf(query.replaceAll(';', '&'))
    .map(canonicalName)
    .filter((name) => name !== '')
}

/** The same for all names that are one to some server: some know no case, and to PHP ` a.b`, `a b[]` and `a_b[c]` begin alike. */
function canonicalName({ name, value }: Parameter): string {
  const [, first = ''] = /^[\s[\]]*([^[\]\0]*)/.exec(name ?? value) ?? []
  return first.trim().toLowerCase().replace(/[. ]/g, '_')
}
