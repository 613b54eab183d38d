/** The names of the characters from U+00A0 to U+00FF, in their order. */
const latin1Names =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** References that browsers understand without a semicolon as well. */
const withoutSemicolon = new Map<string, string>([
  ...latin1Names.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ['amp', '&'],
  ['AMP', '&'],
  ['lt', '<'],
  ['LT', '<'],
  ['gt', '>'],
  ['GT', '>'],
  ['quot', '"'],
  ['QUOT', '"'],
])

/** Signs that addresses are made of. */
const withSemicolon = new Map<string, string>([
  ...withoutSemicolon,
  ['apos', "'"],
  ['colon', ':'],
  ['sol', '/'],
  ['bsol', '\\'],
  ['period', '.'],
  ['comma', ','],
  ['semi', ';'],
  ['quest', '?'],
  ['num', '#'],
  ['equals', '='],
  ['percnt', '%'],
  ['commat', '@'],
  ['plus', '+'],
  ['excl', '!'],
  ['dollar', '$'],
  ['ast', '*'],
  ['lpar', '('],
  ['rpar', ')'],
  ['lbrack', '['],
  ['rbrack', ']'],
  ['lowbar', '_'],
  ['Tab', '\t'],
  ['NewLine', '\n'],
])

const references = /&(?:#(?:x([0-9a-f]+)|(\d+));?|([a-z][a-z0-9]*)(;?))/gi

/**
 * The value that an attribute has for a browser (HTML standard, section 13.2.5.73): names without a semicolon are no references
 * where "=" or a letter or digit follows. Names that neither addresses nor western languages need stay as they are.
 *
 * @param raw a byte string @returns a byte string, in which characters beyond ASCII are UTF-8
 */
export function decodedReferences(raw: string): string {
  const first = raw.indexOf('&')
  if (first < 0) return raw
  if (hasAmpersandsOnly(raw, first)) return raw.replaceAll('&amp;', '&')
  return raw.replace(
    references,
    (whole, hex?: string, decimal?: string, name?: string, semicolon?: string, at?: number) => {
      if (name === undefined) return bytesOf(characterOf(hex, decimal) ?? whole)
      const reference = semicolon === ';' ? withSemicolon.get(name) : undefined
      if (reference !== undefined) return bytesOf(reference)
      return legacy(whole, name, raw.charAt((at ?? 0) + whole.length))
    },
  )
}

/** Whether all references are those for "&", as they are in nearly all addresses. */
function hasAmpersandsOnly(raw: string, first: number): boolean {
  for (let at = first; at >= 0; at = raw.indexOf('&', at + 1)) {
    if (!raw.startsWith('&amp;', at)) return false
  }
  return true
}

function characterOf(hex: string | undefined, decimal: string | undefined): string | undefined {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** A reference without a semicolon: the longest name that its letters begin with, as long as nothing follows it. */
function legacy(whole: string, name: string, next: string): string {
  const reference = withoutSemicolon.get(name)
  if (reference === undefined || next === '=') return whole
  return bytesOf(reference)
}

function bytesOf(character: string): string {
  return character < '\x80' ? character : Buffer.from(character).toString('latin1')
}

/** A value as it can stand between quotes of either kind. */
export function encodedReferences(value: string): string {
  if (!/[&"']/.test(value)) return value
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}
