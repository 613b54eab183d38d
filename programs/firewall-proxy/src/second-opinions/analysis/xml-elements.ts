/** Elements with a prefix, or that begin with a capital as those of protocols do, with attributes in quotation marks. */
const element =
  /^<(?:\/(?<end>[A-Za-z][\w.-]{0,60}:[A-Za-z][\w.-]{0,60}|[A-Z][\w.-]{0,60})\s?>|(?<start>[A-Za-z][\w.-]{0,60}:[A-Za-z][\w.-]{0,60}|[A-Z][\w.-]{0,60})(?<attributes>(?:\s+[A-Za-z_][\w.:-]{0,60}=(?:"[^"<>'`]*"|'[^'<>"`]*'))*)\s*\/?>)$/

const attribute = /([A-Za-z_][\w.:-]*)=["']([^"']*)["']/g

/** Whatever browsers do with elements of that name, in any of their languages. */
const activeName =
  /^(?:script|style|i?frame|frameset|object|embed|applet|svg|math|link|meta|base|form|input|button|textarea|select|isindex|video|audio|source|marquee|template|xml|xss|noscript|plaintext|xmp|title|body|html|head|bgsound|i?layer|keygen|portal|animate\w*|set|foreignobject|image|img|use|dialog|details|menuitem|import|handler|event|listener|a|x|vmlframe|stylesheet|transform|include|param)$/i

const activePrefix = /^(?:svg|x?html|h|math|mml|xsl|xlink|xi|v|o|ev|script|x|xml|ms)$/i

const activeAttributeName =
  /^(?:on|style|srcset|src|srcdoc|href|action|formaction|data|from|to|values|begin|attributename|background|poster)/i

/** Namespaces in which elements do something in browsers, or to documents. */
const activeNamespace = /xhtml|svg|MathML|xlink|XSL|XInclude|xbl|smil|vml|time/i

/**
 * Whether browsers do nothing with an element of XML: those of protocols, such as SAML, are unknown to them.
 *
 * @param tag from "<" to ">"
 */
export function isHarmlessXmlElement(tag: string): boolean {
  const { start, end, attributes = '' } = element.exec(tag)?.groups ?? {}
  const name = start ?? end
  if (name === undefined) return false
  const [prefix = '', local] = name.includes(':') ? name.split(':') : ['', name]
  if (activePrefix.test(prefix) || activeName.test(local ?? '')) return false
  return [...attributes.matchAll(attribute)].every(
    ([, own = '', value = '']) =>
      !activeAttributeName.test(own.replace(/^\w+:/, '')) &&
      !activeAttributeName.test(own) &&
      !(/^xmlns/i.test(own) && activeNamespace.test(value)),
  )
}
