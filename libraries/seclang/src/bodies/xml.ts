import { SaxesParser } from 'saxes'
import type { Argument, ParsedBody } from './parsed-body.ts'
import { utf8ByteString } from './utf8.ts'

/** Whoever reads these document types finds no address of an attacker in them: of the W3C, of property lists, and of orders in cXML. */
const wellKnownTypes =
  /^(?:https?:\/\/(?:www\.w3\.org|www\.apple\.com|xml\.cxml\.org)\/[^?#]*|about:legacy-compat)$/

/** The name of a class, which XStream and its like make an object of. */
const nameOfClass = /^[a-z]\w*(?:\.[\w$-]+){2,}$/

/** Goes on behind faults, and makes no error of each, with its stack: a body of nothing but faults takes no longer than others. */
class TolerantParser extends SaxesParser {
  isFaulty = false

  override fail(): this {
    this.isFaulty = true
    return this
  }
}

/**
 * The body processor XML: the text in the root element and the values of all attributes, in UTF-8. Entities that a document
 * defines itself are an error, so that nothing is expanded and nothing is fetched.
 *
 * @param readAll given where attributes are to be arguments as well, but for namespaces, and elements that are called as classes are, and no element deeper than this
 */
export function parseXmlBody(bytes: string, readAll?: { readonly depthMax: number }): ParsedBody {
  const texts: string[] = []
  const pieces: string[] = []
  let pieceBegin = 0
  const endPiece = () => {
    if (readAll === undefined) return
    if (texts.length > pieceBegin) pieces.push(texts.slice(pieceBegin).join(''))
    pieceBegin = texts.length
  }
  const attributes: string[] = []
  const named: Argument[] = []
  const faults: string[] = []
  const parser = new TolerantParser()
  let depth = 0
  parser.on('opentag', (tag) => {
    depth++
    endPiece()
    attributes.push(...Object.values(tag.attributes).map(String))
    if (readAll === undefined) return
    if (depth > readAll.depthMax) parser.fail()
    named.push(...argumentsOf(tag.attributes))
    if (nameOfClass.test(tag.name)) named.push({ name: 'element', value: utf8ByteString(tag.name) })
  })
  parser.on('closetag', () => {
    depth--
    endPiece()
  })
  if (readAll !== undefined) parser.on('doctype', (text) => faults.push(...faultsOfDocumentType(text)))
  parser.on('text', (text) => {
    // Line ends around the root element are no text of the document, and rules see commands in what stands behind one. Nor are those that
    // set off elements within it: a document without them means the same.
    if (depth > 0) texts.push(readAll !== undefined && /^[ \t\r\n]+$/.test(text) ? ' ' : text)
  })
  parser.on('cdata', (text) => texts.push(text))
  try {
    parser.write(decodeXml(bytes)).close()
  } catch {
    // The bytes are not of their encoding, or it is not known.
    parser.fail()
  }
  return {
    xml: {
      text: utf8ByteString(texts.join('')),
      ...(readAll === undefined ? {} : { pieces: pieces.map(utf8ByteString) }),
      attributes: attributes.map(utf8ByteString),
    },
    ...(readAll === undefined ? {} : { arguments: named }),
    ...(faults.length === 0 ? {} : { faults }),
    ...(parser.isFaulty ? { error: 'XML parsing error: XML: Failed parsing document.' } : {}),
  }
}

/**
 * Why parsers that follow a document type would fetch something for it: entities are elsewhere, or all of it is, at an address that is
 * not well known. Ours fetches nothing.
 *
 * @param text what stands behind `<!DOCTYPE`
 */
function faultsOfDocumentType(text: string): string[] {
  const [head = '', subset = ''] = text.split(/\[(.*)/s)
  const faults: string[] = []
  if (/<!ENTITY\s+%|<!ENTITY[^>]*\s(?:SYSTEM|PUBLIC)\s/.test(subset)) {
    faults.push('Its document type has entities that stand elsewhere.')
  }
  const [, address] = /\s(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))\s+(?:"[^"]*"|'[^']*')/.exec(head)
    ? (/(["'])([^"']*)\1\s*$/.exec(head)?.slice(1) ?? [])
    : []
  if (address !== undefined && !wellKnownTypes.test(address)) {
    faults.push('Its document type stands elsewhere.')
  }
  return faults
}

function argumentsOf(attributes: Readonly<Record<string, unknown>>): Argument[] {
  return Object.entries(attributes)
    .filter(([name]) => !/^xmlns(?::|$)|^xsi:schemaLocation$/.test(name))
    .map(([name, value]) => ({ name: utf8ByteString(name), value: utf8ByteString(String(value)) }))
}

/** By byte order mark, else by what the document declares, else UTF-8. */
function decodeXml(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1')
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes)?.[1]
  const mark = bytes.startsWith('\xff\xfe')
    ? 'utf-16le'
    : bytes.startsWith('\xfe\xff')
      ? 'utf-16be'
      : undefined
  return new TextDecoder(mark ?? declared ?? 'utf-8', { fatal: true }).decode(buffer)
}
