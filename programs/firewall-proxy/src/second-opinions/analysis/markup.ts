import { decodedReferences } from '../../html/character-references.ts'
import { TagReader } from '../../html/tag-reader.ts'
import { whyHarmlessContentLines } from './content-lines.ts'
import { harmlessJson } from './json.ts'
import { closesNoString } from './script-strings.ts'
import {
  editorComment,
  isCiphers,
  isMediaRanges,
  lengthMax,
  readableText,
  withoutFiles,
  withoutMarksOfErrors,
} from './text.ts'
import { isHarmlessXmlElement } from './xml-elements.ts'

/** So often percent signs may be decoded before nothing is left to decode. */
const layersMax = 3

/** Elements that run nothing, load no document and do not change how what follows is read. */
const harmlessElements = words(
  'a abbr address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr',
)

const harmlessAttributes = words(
  'abbr align alt bgcolor border cellpadding cellspacing char charoff class clear color cols colspan controls datetime decoding dir face frame headers height hreflang hspace id lang loading loop media muted name noshade nowrap playsinline preload reversed rel rev role rows rowspan rules scope size sizes span start summary tabindex target title type valign value vspace width',
)

const addressAttributes = words('href src cite poster')

/** Names of fonts as Word and editors write them within an attribute; no operator of scripts among them. */
const fontFamily =
  /\bfont-family:(?:[\w ,'-]|&quot;(?!in|of|as|from|with|assert)[A-Za-z][\w -]{0,40}&quot;|"(?!in|of|as|from|with|assert)[A-Za-z][\w -]{0,40}"(?=[ ,;"])){1,200}/gi

/** What a style may not have: it loads, or older browsers run it. */
const activeStyle = /url|image|expression|binding|behavior|import|[\\<@]|\/\*/i

/** Attributes that load, run or submit something. */
const activeAttribute =
  /(?:^|[\s"'`/+])(?:style|src|srcset|srcdoc|href|xlink:href|action|formaction|data|poster|background|attributename|values|from|to|http-equiv|content|autofocus)\s*=/i

/** What reads as a further attribute behind a quotation mark. */
const attributeBehindQuote = /["'`][\s/+]*[^\s"'`<>/=&?,;:(){}[\]]{1,60}\s{0,20}=/

const handler = /(?:^|[^a-z0-9_$-])on[a-z]{3,40}\s*=/i

const activeScheme = /(?:javascript|vbscript|livescript|mocha|jar|feed|view-source):|data:[\w/+.-]{0,60}[,;]/i

/** The address of a link that leads nowhere. */
const emptyScript = /^\s*javascript:\s*(?:void\s*\(\s*0?\s*\))?\s*;?\s*$/i

/** Names of sites and beginnings of addresses, by which analytics tells links to others: behind `javascript:` a comma is a mistake of grammar. */
const filterOfLinks =
  /^(?:[\w.-]{1,80}|(?:javascript|tel|mailto):|\.{0,2}\/)(?:,\s?(?:[\w.-]{1,80}|(?:javascript|tel|mailto):|\.{0,2}\/)){1,400},?$/i

/** An address of a short text, by which servers of calendars say what they have told already (RFC 6578). */
const addressOfText = /^\s*data:,[\w.-]{0,60}\s*$/

const xmlDeclaration = /^\s*<\?xml\s[\w\s="'.-]{0,80}\?>/

/** What scripts do with a page or with text. */
const scriptWords = [
  /\b(?:alert|confirm|prompt|eval|setTimeout|setInterval|setImmediate|execScript|Function|fetch|import|require|atob|unescape|fromCharCode|write|writeln)\)?\s*(?:\(|`|\.(?:call|apply|bind)\b|\?\.)/i,
  /[=,([]\s*(?:alert|confirm|prompt|eval|atob|setTimeout)\b/i,
  /\b(?:document|window|self|top|parent|globalThis|frames|location|navigator|history|localStorage|sessionStorage|this)\)?\s*(?:\??\.[a-z$_]|\[)/i,
  /\.\s*(?:innerHTML|outerHTML|cookie|constructor|__proto__|prototype|srcdoc|insertAdjacentHTML)\b/i,
  /\.(?:find|map|forEach|filter|every|some|reduce|source|call|apply|bind)\b\s*[(+`]/,
  /\b(?:constructor|__proto__)\s*[.[(=]|\blocation\s*=|\b(?:innerHTML|outerHTML)\b|XMLHttpRequest|ActiveXObject/i,
  /-moz-binding|@import|expression\s*\(|behaviou?r\s*:/i,
]

/** Scripts that are written with signs only, and calls through brackets. */
const scriptSigns = /\[\]\s*[[+(]|!\[\]\s*[+)]|!!\[|\]\s*\]\s*\(|['"`]\s*\]\s*[[(`=]|\)\(|\$\{|=>|\)`/

/** What a selector of style sheets asks of an element: `input[name="q"][type="text"]`. */
const attributeSelector =
  /(?<=[\w\])])\[[a-z][a-z-]{0,30}="(?!constructor|alert|eval|confirm|prompt)[\w .-]{0,60}"\](?![(`])/gi

/** What a template language would compute. */
const templateCall = /\{\{[^}]{0,400}[([`][^}]{0,400}/

/** Escapes of scripts and of styles, and signs that lenient readers take for "<". */
const escapes =
  /\\(?:[xu0-7"'`]|[0-9a-f]{2})|\\$|[\uff1c\uff1e\u2028\u2029\ufeff\u2039\u3008]|¼[a-z/!]|%u[0-9a-f]{4}/i

/** References to signs of scripts that are decoded nowhere here. */
const activeReference = /&(?:grave|diacriticalgrave|lcub|lbrace|nvlt|fjlig|lsqb|zerowidthspace|shy)\b/i

/** A "<" that lenient readers take for a tag though blanks or signs follow. */
const brokenTag =
  /<[\s/\\+%'"`(]*(?:script|iframe|object|embed|svg|math|img|style|link|meta|base|form|body|input|video|audio|xss|x\b)/i

/**
 * Why a value can run no script, however a page uses it: as content, as the value of an attribute, in a string of a script, as an address.
 *
 * @param value a byte string, as it came
 * @returns in words; undefined when it may run something, or when that is not certain
 */
export function whyHarmlessMarkup(value: string): string | undefined {
  if (value.length > lengthMax) return undefined
  if (emptyScript.test(value)) return 'it is the address of a link that does nothing'
  if (isMediaRanges(value)) return 'it is a list of media types, which is no script'
  if (filterOfLinks.test(value)) return 'it is a list of sites and schemes, which is no script'
  if (addressOfText.test(value)) return 'it is the address of a text, in which nothing runs'
  if (isCiphers(value)) return 'it is ciphers in Base64, which no page reads as attributes'
  const text = readableText(value)
  if (text === undefined) return undefined
  const isHarmless = (part: string) => whyHarmlessMarkup(part) !== undefined
  const ofDocument = harmlessJson(text, isHarmless) ?? whyHarmlessContentLines(text, isHarmless)
  if (ofDocument !== undefined) return closesNoString(text) ? ofDocument : undefined
  const plain = withoutMarksOfErrors(withoutFiles(value).replace(editorComment, ' ')).replace(
    fontFamily,
    (fonts) => fonts.replaceAll(/&quot;|"/g, ''),
  )
  const forms = decodedForms(plain.replace(xmlDeclaration, ''))
  if (forms === undefined) return undefined
  let tags = 0
  for (const form of forms) {
    const harmlessTags = harmlessTagsIn(form)
    if (harmlessTags === undefined) return undefined
    tags = Math.max(tags, harmlessTags)
  }
  if (tags > 0) return 'its markup only formats text, and it can end no string and no attribute of a page'
  return 'it has no markup, and it can end no string and no attribute of a page'
}

/** The value and what is left of it once percent signs and references are decoded; undefined when it is not plain UTF-8. */
function decodedForms(value: string): ReadonlySet<string> | undefined {
  const forms = new Set<string>()
  let bytes = value
  for (let layer = 0; ; layer++) {
    const text = Buffer.from(bytes, 'latin1').toString('utf8')
    if (/[\ufffd]|[\p{Cc}--[\t\r\n]]/v.test(text) || hasUtf7(text)) return undefined
    forms.add(text)
    const decoded = decodedReferences(
      bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
    if (decoded === bytes) return forms
    if (layer >= layersMax) return undefined
    // Either may be what an application decodes alone.
    const references = Buffer.from(decodedReferences(bytes), 'latin1').toString('utf8')
    forms.add(references)
    bytes = decoded
  }
}

/** Whether UTF-7 would have signs of markup or of scripts in it. */
function hasUtf7(text: string): boolean {
  for (const [, coded = ''] of text.matchAll(/\+([A-Za-z0-9+/]{3,64})/g)) {
    const units = Buffer.from(coded, 'base64')
    for (let at = 0; at + 1 < units.length; at += 2) {
      if (units[at] === 0 && '<>"\'`=('.includes(String.fromCharCode(units[at + 1] ?? 0))) return true
    }
  }
  return false
}

/** How many tags there are; undefined where anything may run. */
function harmlessTagsIn(text: string): number | undefined {
  const withoutComments = text.includes('/*') ? text.replace(/\/\*[^*]{0,200}\*\//g, '') : text
  if (
    handler.test(text) ||
    activeScheme.test(text.replace(/\s+/g, '')) ||
    scriptWords.some((pattern) => pattern.test(withoutComments)) ||
    scriptSigns.test(text.replace(attributeSelector, '')) ||
    templateCall.test(text) ||
    escapes.test(text) ||
    activeReference.test(text) ||
    brokenAfterTags(text)
  ) {
    return undefined
  }
  const outside = textOutsideTags(text)
  if (outside === undefined) return undefined
  if (activeAttribute.test(outside.text) || attributeBehindQuote.test(outside.text)) return undefined
  return closesNoString(text) ? outside.tags : undefined
}

/** Images, films and sounds are the only elements of the list of broken tags that may be there. */
function brokenAfterTags(text: string): boolean {
  return brokenTag.test(text.replace(/<\/?(?:img|video|audio)(?=[\s/>])/gi, '<i'))
}

function textOutsideTags(text: string): { readonly text: string; readonly tags: number } | undefined {
  const reader = new TagReader()
  const pieces: string[] = []
  let tags = 0
  let from = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', Math.max(at + 1, from))) {
    const next = text.charAt(at + 1)
    if (next === '' || '!?%'.includes(next)) return undefined
    const isEndTag = next === '/'
    if (!/[a-z]/i.test(isEndTag ? text.charAt(at + 2) : next)) {
      if (isEndTag) return undefined
      continue
    }
    reader.begin(isEndTag)
    const end = reader.read(text, at)
    if (end < 0) return undefined
    const tag = text.slice(at, end)
    const isXml = !harmlessElements.has(reader.name)
    if (isXml && !isHarmlessXmlElement(tag)) return undefined
    if (
      !isXml &&
      !reader.attributes.every(({ name, valueStart, valueEnd }) =>
        isHarmlessAttribute(name, tag.slice(valueStart, valueEnd)),
      )
    ) {
      return undefined
    }
    if (isEndTag && tag.length > reader.name.length + 8) return undefined
    pieces.push(text.slice(from, at))
    tags++
    from = end
  }
  pieces.push(text.slice(from))
  return { text: pieces.join(' '), tags }
}

function isHarmlessAttribute(name: string, raw: string): boolean {
  if (/[<`]/.test(raw)) return false
  const value = Buffer.from(decodedReferences(Buffer.from(raw).toString('latin1')), 'latin1').toString('utf8')
  if (/[<`]/.test(value) || attributeBehindQuote.test(value)) return false
  if (name === 'style') return !activeStyle.test(value)
  if (addressAttributes.has(name)) return isHarmlessAddress(value)
  if (name === 'srcset') return value.split(/[\s,]+/).every(isHarmlessAddress)
  return harmlessAttributes.has(name) || name.startsWith('aria-')
}

/** Relative ones, and those of pages, mail and telephones. */
function isHarmlessAddress(address: string): boolean {
  const scheme = /^([^/?#]*?):/.exec(address.replace(/[\s\p{Cc}]/gu, ''))?.[1]
  return scheme === undefined || /^(?:https?|mailto|tel)$/i.test(scheme)
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
