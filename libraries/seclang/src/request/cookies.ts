import type { Argument } from '../bodies/parsed-body.ts'

/**
 * The cookies of a `Cookie` header, not decoded. A cookie without `=` has an empty value; one without a name is left out.
 *
 * @param format 0: plain pairs; 1: `$Version` and the like are left out, values lose their quotes (RFC 2965)
 */
export function parseCookies(header: string, format: 0 | 1): readonly Argument[] {
  const cookies: Argument[] = []
  for (const piece of header.split(';')) {
    const pair = piece.replace(/^\s+/, '')
    const equals = pair.indexOf('=')
    const name = equals === -1 ? pair : pair.slice(0, equals)
    if (name === '' || (format === 1 && name.startsWith('$'))) continue
    const value = equals === -1 ? '' : pair.slice(equals + 1)
    cookies.push({ name, value: format === 1 ? value.replace(/^\s*"([^"]*)"\s*$/, '$1') : value })
  }
  return cookies
}
