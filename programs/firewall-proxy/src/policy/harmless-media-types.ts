/** Longer content types are left to the rules; the longest that ordinary clients send have some 150 characters. */
const lengthMax = 512

/** What the proxy reads as JSON, whatever its parameters say: RFC 8259 knows none, and so do all who read it. */
const json = String.raw`application/(?:json|[\w.-]+\+json)`

/** A word or number, or an address as profiles and extensions have for names (RFC 6906; JSON:API). No expression of any language fits. */
const value = String.raw`(?:[\w.+-]{1,64}|https?://[\w.-]{1,255}(?:/[\w.~-]{1,64}){0,8}/?)`

const jsonWithParameters = new RegExp(
  `^${json}(?:[ \\t]?;[ \\t]?[\\w.-]{1,64}=(?:${value}|"${value}(?: ${value}){0,8}"))*$`,
)

/** A calendar and what is asked of its reader (RFC 5545, section 8.1; RFC 6047), or a contact and its version. */
const groupware =
  /^text\/(?:calendar|vcard)(?:[ \t]?;[ \t]?(?:component|method|optinfo|version|profile|charset)=(?:[\w.-]{1,40}|"[\w.-]{1,40}")){1,6}$/

/** Of a body that is read in another way, which some servers look for anywhere in a content type. */
const ofOtherReaders = /multipart|form-data|urlencoded|xml|boundary/

const charsets = /charset/g
const isUtf8 = /;[ \t]?charset=(?:"utf-?8"|utf-?8)[ \t]?(?:;|$)/

const typeWithUtf8 = /^[\w.+-]+\/[\w.+-]+[ \t]?;(?:.*;)?[ \t]?charset=(?:"utf8"|utf8)[ \t]?(?:;|$)/

/**
 * Whether a content type is one of calendars or contacts with the parameters that are registered for it, such as
 * `text/calendar; component=VEVENT; method=REQUEST`.
 */
export function isGroupwareWithParameters(contentType: string): boolean {
  return groupware.test(contentType.toLowerCase()) && namesNoCharsetButUtf8(contentType.toLowerCase())
}

/**
 * Whether a content type is one of JSON with parameters that can change nothing about how its body is read, such as
 * `application/json;odata=minimalmetadata` and `application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"`. Parameters that name
 * another reader or a charset other than UTF-8, and values in which somebody could find an expression, are none.
 */
export function isJsonWithHarmlessParameters(contentType: string): boolean {
  if (contentType.length > lengthMax) return false
  const lower = contentType.toLowerCase()
  if (!jsonWithParameters.test(lower) || ofOtherReaders.test(lower.slice(lower.indexOf(';')))) return false
  return namesNoCharsetButUtf8(lower)
}

function namesNoCharsetButUtf8(lower: string): boolean {
  const charsetCount = lower.match(charsets)?.length ?? 0
  return charsetCount === 0 || (charsetCount === 1 && isUtf8.test(lower))
}

/** Whether the one charset that a content type names is `utf8`, as many clients spell UTF-8. */
export function namesUtf8WithoutHyphen(contentType: string): boolean {
  if (contentType.length > lengthMax) return false
  const lower = contentType.toLowerCase()
  return lower.match(charsets)?.length === 1 && typeWithUtf8.test(lower)
}
