/** What is known of a file: of a form, or of a body that is one. */
export interface ReceivedFile {
  /** As the client calls it. */
  readonly fileName: string
  /** As the client says, in lower case and without parameters. */
  readonly type: string
  /** A byte string. */
  readonly content: string
}

/** Files by which a server is told what to run in the folder that they are in. */
const serverSettings = /^(?:\.user\.ini|\.htaccess|web\.config)$/i

const mediaType = /^(?:image|audio|video|font)\/(?!svg)|^application\/(?:pdf|font-|x-font-)/
const mediaExtension =
  /\.(?:png|jpe?g|jfif|gif|bmp|webp|ico|tiff?|hei[cf]|avif|mp3|m4a|aac|ogg|oga|flac|wav|mp4|m4v|mov|avi|mkv|webm|pdf|woff2?|ttf|otf|eot)$/i

/** Documents of offices: many programs write HTML and call it so. */
const officeType = /^application\/(?:msword|vnd\.(?:ms-|openxmlformats-|oasis\.))/
const officeExtension = /\.(?:docx?|xlsx?|pptx?|odt|ods|odp)$/i

/** A beginning that makes a text a page or a program, whatever it is called. */
const pageOrProgram =
  /^\s*(?:<(?:!doctype\s+html|html|head|body|script|iframe|svg|math)[\s>]|<\?xml[^>]*>\s*<(?:html|svg)[\s>]|#!\s*\/)/i
const program = /^(?:MZ.{58,}|\x7fELF)/s

/** A script for servers that begins at once, or behind what makes a picture of it. */
const scriptAtOnce =
  /^(?:\xef\xbb\xbf)?(?:GIF8[79]a;?|\x89PNG|\xff\xd8\xff[\xdb-\xef]?)?\s*(?:<\?xml[^>]{0,100}>\s*)?(?:<\?(?:php\b|=)|<%|<jsp:|<script[^<>]{0,200}\srunat\s*=|<!--\s*#(?:exec|include)\b|<cf(?:execute|output|file|http|set|query)\b)/i

/** Code that runs what a request says, as web shells have it. */
const webShell =
  /\b(?:eval|assert|system|exec|passthru|shell_exec|popen)\s{0,4}\(\s{0,4}@?\$_(?:GET|POST|REQUEST|COOKIE)\b|<%\s{0,8}(?:eval|execute)\s{0,4}\(?\s{0,4}request\b/i

/** Texts about programs. */
const manualExtension = /\.(?:md|markdown|rst|adoc|diff|patch)$/i

/** Templates of programs begin as such scripts do. */
const templateExtension = /\.(?:erb|rhtml|ejs|[hl]?eex|tt|tmpl|tpl|mako|underscore|lodash)$/i

/** What readers of pictures and recordings take for instructions, whatever it is called: of ImageMagick, Ghostscript, FFmpeg and DjVu. */
const instructions =
  /^\s*(?:push graphic-context|viewbox \d|%!PS|#EXTM3U|AT&TFORM|<\?xml[^>]*>\s*<(?:image|group)>\s*<(?:read|get))/

/** Names in an archive, of tar or ZIP, that lead out of the folder where it is unpacked. In tar zeros follow the name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
const wayOutOfArchive = /^\.\.[/\\][^\0]{1,110}\0|PK\x03\x04.{26}(?:[\w.-]{1,80}[/\\]){0,8}\.\.[/\\]/s

const directive =
  /^<%@\s*(?:page|include|taglib|tag|webservice|webhandler|control|master|language|assembly|import)\b/i
const scriptOfServer = /^<script[^<>]{0,200}\srunat\s*=\s*["']?server/i

/** Where texts are looked at that say at their beginning what they are, in bytes. */
const beginningBytes = 64 * 1024

/**
 * Why a file is not what its name and type say: a picture, a film, a font or a document in which a server would find a script, or a
 * browser a page, or a drawing that does something. Also why it is a danger as what it says that it is: a setting of a server, or XML
 * that has other files read. Takes time in proportion to its length.
 *
 * @returns what stands behind "The file …" in a sentence; undefined for what is harmless as far as that goes
 */
export function dangerOf({ fileName, type, content }: ReceivedFile): string | undefined {
  const name = fileName.replace(/^.*[/\\]/s, '')
  if (serverSettings.test(name)) return 'would change the settings of a server'
  const text = withoutWideCharacters(content)
  const isMedia = mediaType.test(type) || mediaExtension.test(name)
  const saysOffice = officeType.test(type) || officeExtension.test(name)
  if ((isMedia || saysOffice) && hasServerScript(text)) {
    return 'says that it is a picture, a recording, a font or a document, and has a script for servers in it'
  }
  if (isMedia && (pageOrProgram.test(text.slice(0, 1024)) || program.test(text.slice(0, 64)))) {
    return 'says that it is a picture, a recording, a font or a document, and is a page or a program'
  }
  if (scriptAtOnce.test(text.slice(0, 512)) && !templateExtension.test(name))
    return 'begins as a script for servers does'
  if (webShell.test(text.slice(0, beginningBytes)) && !manualExtension.test(name))
    return 'has a web shell in it'
  if (isMedia && instructions.test(text.slice(0, 512))) {
    return 'says that it is a picture or a recording, and has instructions for its reader'
  }
  if (content.startsWith('\xac\xed\0\x05')) return 'is a serialized object of Java'
  if (wayOutOfArchive.test(content)) return 'is an archive with names that lead out of its folder'
  const beginning = withoutMark(text.slice(0, beginningBytes))
  if (!/^\s*</.test(beginning)) return undefined
  if (hasEntitiesElsewhere(beginning, name)) return 'is XML whose entities stand elsewhere'
  if (hasEntitiesOfEntities(beginning, name)) return 'is XML whose entities are made of others'
  const isDrawing =
    type.startsWith('image/svg') || /\.svg$/i.test(name) || isRootOfDrawing(beginning, name, type)
  return isDrawing && isActive(text) ? 'is a drawing that runs scripts' : undefined
}

/** Whether a file has to be looked at, by its name and type alone: everything that a body of its own may be called which is a file. */
export function maySurprise({ fileName, type }: Omit<ReceivedFile, 'content'>): boolean {
  return (
    mediaType.test(type) ||
    officeType.test(type) ||
    mediaExtension.test(fileName) ||
    officeExtension.test(fileName) ||
    type.startsWith('image/svg') ||
    /\.svg$/i.test(fileName) ||
    serverSettings.test(fileName)
  )
}

/** What has a NUL in at least every second byte of its beginning is UTF-16 or UTF-32, or has nothing to be found. */
function withoutWideCharacters(content: string): string {
  const sample = content.slice(0, 512)
  const narrow = sample.replace(/\0/g, '')
  return narrow.length > 0 &&
    narrow.length <= sample.length * 0.6 &&
    /^[\xff\xfe]*[\t\r\n\x20-\x7e]+$/.test(narrow)
    ? content.replace(/\0/g, '').replace(/^[\xff\xfe]{2}/, '')
    : content
}

/** In bytes that come by chance, three are found every 16 MiB: so what follows them has to be text. */
function hasServerScript(text: string): boolean {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const second = text.charCodeAt(at + 1)
    if (second === question && isPhp(text.slice(at, at + 16))) return true
    if (second === percent && isServerPage(text.slice(at, at + 64))) return true
    if ((second | 32) === letterS && scriptOfServer.test(text.slice(at, at + 256))) return true
  }
  return false
}

const question = 63
const percent = 37
const letterS = 115

function isPhp(tag: string): boolean {
  return /^<\?php(?:[\s/;(]|$)/i.test(tag) || /^<\?=[\t-\r\x20-\x7e]{8}/.test(tag)
}

function isServerPage(tag: string): boolean {
  return directive.test(tag) || /^<%[=!#\s][\t-\r\x20-\x7e]{12}/.test(tag)
}

/** Whether the first element is that of a drawing, in what does not say that it is a page. */
function isRootOfDrawing(beginning: string, name: string, type: string): boolean {
  if (type === 'text/html' || /\.html?$/i.test(name)) return false
  return /^<(?:[\w.-]{1,32}:)?svg[\s/>]/.test(beginning.slice(beginning.search(/<[a-z]/i)))
}

function hasEntitiesElsewhere(beginning: string, name: string): boolean {
  if (isDeclaration(name)) return false
  return /<!ENTITY\s+%|<!ENTITY[^<>]*\s(?:SYSTEM|PUBLIC)\s/.test(beginning)
}

/** Whether an entity is made of several others, by which a short document becomes one that no memory holds. */
function hasEntitiesOfEntities(beginning: string, name: string): boolean {
  return (
    !isDeclaration(name) &&
    /<!ENTITY\s+[\w.-]+\s+(?:"(?:[^"&]*&(?!(?:lt|gt|amp|quot|apos);)[\w.-]{1,40};){2}|'(?:[^'&]*&(?!(?:lt|gt|amp|quot|apos);)[\w.-]{1,40};){2})/.test(
      beginning,
    )
  )
}

/** Files whose purpose it is to declare entities. */
function isDeclaration(name: string): boolean {
  return /\.(?:dtd|ent|mod)$/i.test(name)
}

/** Whether a drawing has scripts, handlers of events, or links that are scripts. */
function isActive(text: string): boolean {
  const plain = withoutReferences(text)
  return (
    /<(?:[\w.-]{1,32}:)?script[\s/>]/i.test(plain) ||
    /[\s"'/]on[a-z]{3,32}\s{0,8}=\s{0,8}["']/i.test(plain) ||
    /["']\s{0,8}(?:javascript|vbscript):|["']\s{0,8}data:text\/html/i.test(plain)
  )
}

/** References to characters and line ends as browsers read them in a link. */
function withoutReferences(text: string): string {
  return text
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hexadecimal?: string, decimal?: string) => {
      const code = Number.parseInt(hexadecimal ?? decimal ?? '', hexadecimal === undefined ? 10 : 16)
      return code < 128 ? String.fromCharCode(code) : ''
    })
    .replace(/&(?:Tab|NewLine|colon);/g, (name) => (name === '&colon;' ? ':' : ''))
}

function withoutMark(text: string): string {
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text
}
