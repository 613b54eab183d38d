import { commands, idleWords, ordinaryWords, windowsCommands } from './command-words.ts'
import { whyHarmlessDocument } from './documents.ts'
import { plainQueries } from './queries.ts'
import { editorComment, isMediaRanges, readableText, withoutFiles, withoutMarksOfErrors } from './text.ts'

/**
 * What a shell puts in place of what is written, or does besides: substitutions, variables, redirections, functions; words in which
 * marks hide letters; files of programs; what only the command line of Windows reads; options.
 */
const shellSigns = [
  /\$[({[\w@*?!#'"]/,
  /(?<=\s)\d>(?=[&/\w])|>&|&>|>>|<<|[<>|]\s*[~/.]\S{0,60}\//,
  /(?:^|[\s"'`=:({[;|&])(?:[~/]|[a-z]:\\)[\w./\\-]*(?:bin|etc|dev|proc|tmp|system32|windows)[/\\]/i,
  /\/(?!\*(?:[\s,:)]|$))[\w-]*[?*[\]][\w?*[\]/-]*|[?*]\/[?*\w]/,
  /[a-z][\\^"][a-z]|[a-z]'[a-z]*'[a-z]|[a-z]''[a-z]|[a-z]""[a-z]/i,
  /\(\s*\)\s*\{/,
  /%[a-z][\w:~,-]+%|\bfor\b[^\n]{0,80}\bin\b[^\n]{0,80}[($]|\bif\s+(?:\/i\s+)?(?:not\s+)?(?:exist|defined|errorlevel)\b/i,
  /\b(?:cmd|powershell|pwsh|command|wscript|cscript)(?:\.exe|\.com|\s+[/-][a-z])/i,
  /\{[^\s{}]{1,40},[^{}]{0,200}\}/,
  /[a-z]'[a-z]{1,12}'(?:\s|$)|[a-z]"[a-z]{1,12}"(?:\s|$)|(?:^|[\s;|&`(])(?:'[a-z]{1,12}'|"[a-z]{1,12}")[a-z]/i,
  // The value of a parameter within a query.
  /(?:^|[&?])[\w.-]{1,40}=\s*[\w.]+\s+[-/~.]/,
]

/**
 * Where a shell expects a command: at the beginning, and behind these. A comment is none, what stands behind it could be one. With a slash or colon behind it
 * a word is the name of a folder or of a kind.
 */
const separators = /&&|\|\||[;|&\n\r`]|[$<>]\(|\b(?:then|do|else|sudo|exec|xargs|nohup|env)\b(?![/:])/gi

/** By itself it runs nothing, whatever characters are in its path and its query. */
const address = /https?:\/\/[^\s"'<>()`;|&${}\\]*/gi

/** A page of the same site with its query, as the way back to it is written. Nothing in it starts a program but the whole as its name. */
const relativeAddress = /^\/(?:[\w~-][\w.~%-]*\/){0,12}[\w.~%-]*&[\w.%$-]{1,60}=[^\s;|`$<>(){}"'\\]*$/

/** An amount of money, which a shell would take for an argument of its own that is not there, by itself between blanks. */
const amount = /(?<=^|[\s(])\$\d{1,3}(?:,\d{3}){0,4}(?:\.\d{1,2})?[kKmM]?(?=[\s,;!?)]|\.?(?:\s|$))/g

/** The end of an element, which a shell would take for a file to read from. */
const endTag = /<\/[a-z][a-z0-9]{0,20}(?::[a-z][\w.-]{0,60})?>/gi

/** A line of the stack of an error, which begins as the command `at` does: a function, an address and where it is there. */
const frameOfStack =
  /(?<=^|\n)[ \t]*at (?:[\w$.<>[\] (:/?=%#@+,~-]|&(?=[\w.-]{1,40}=)){0,400}?(?::\d+:\d+\)?|\((?:index \d+|native|anonymous)\))(?=\r?\n|$)/g

const entity = /^(?:lt|gt|amp|quot|apos|nbsp|copy|reg);/

/** What may stand before the name of a command without being one. */
const beforeName = /^(?:[\s"'\\@^+=,({!*-]|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s)+/

/**
 * Why no shell that is given a text, anywhere within a command line, runs a command that stands in it.
 *
 * @param value a byte string
 * @returns undefined where it may do harm, or that is not certain
 */
export function whyHarmlessCommands(value: string): string | undefined {
  const text = readableText(value)
  if (text === undefined) return undefined
  const ofDocument = whyHarmlessDocument(text, isHarmlessPart)
  if (ofDocument !== undefined) return ofDocument
  if (isMediaRanges(text)) return 'it is a list of media types'
  return runsNothing(withoutFiles(text)) ? 'no command stands where a shell would look for one' : undefined
}

function isHarmlessPart(value: string): boolean {
  return whyHarmlessCommands(value) !== undefined
}

function runsNothing(written: string): boolean {
  const text = plainQueries(
    withoutMarksOfErrors(
      written.replace(editorComment, (comment) => (comment.includes('\n') ? comment : ' ')),
    ).replace(frameOfStack, 'frame'),
  )
  const withoutAddresses = text.replace(address, 'address').replace(endTag, ' ').replace(amount, '1')
  if (shellSigns.some((sign) => sign.test(withoutAddresses))) return false
  if (isCommand(text) && !relativeAddress.test(text) && !isSearch(text)) return false
  for (const { index, 0: separator } of text.matchAll(separators)) {
    const rest = text.slice(index + separator.length, index + separator.length + restMax)
    if (separator === '&' && entity.test(rest)) continue
    if (isCommand(rest)) return false
  }
  return true
}

/** As people search for "exec summary template" or "java 面试题": words alone, of which none names what such a command is about. */
function isSearch(text: string): boolean {
  const [first = '', ...rest] = text.toLowerCase().split(' ', searchWordsMax + 1)
  if (rest.length >= searchWordsMax || ![first, ...rest].every((word) => searchWord.test(word))) return false
  if (rest.some((word) => commands.has(word) || machineWords.test(word))) return false
  if (rest.some((word) => /[^\p{ASCII}]/u.test(word))) return true
  return rest.length >= 2 && !windowsCommands.has(first) && rest.every((word) => /^[a-z]{3,}$/.test(word))
}

const searchWordsMax = 12

const searchWord = /^[\p{L}\p{M}\p{N}]{1,40}$/u

const machineWords = /^(?:local|root|passw|shadow|admin|host|user|group|etc|tmp|reboot|bin|proc|self)/

/** How much of a text behind a separator is looked at. */
const restMax = 300

/** Nothing there is a program. */
const documentation = /^\/usr\/share\/(?:doc|common-licenses|man)\/[\w/.+-]*(?:[\s'"`),;]|$)/

/** Whether a text begins with a command, and not with a sentence that begins with such a word. */
function isCommand(text: string): boolean {
  const own = text.slice(0, restMax).replace(beforeName, '')
  // A folder, which no shell runs.
  if (/^\/[/*](?:\s|$)/.test(own)) return false
  if (/^(?:\.{0,2}\/|~\/|\\\\|[a-z]:\\)\S/i.test(own)) return !documentation.test(own)
  if (/^\.[ \t]+\S/.test(own)) return true
  const [first = ''] = /^[^\s;|&<>()`"',=:]+/.exec(own) ?? []
  if (/[?*~]\w|\w\[\w|\]\w/.test(first)) return true
  const rest = own.slice(first.length)
  // A shell finds a mistake in "File(s) under embargo".
  if (/^\(e?s\)(?:[\s,.:;]|$)/.test(rest)) return false
  // "who's next" is no name of a program.
  if (rest.startsWith('=') || rest.startsWith(':') || /^'(?:s|re|ll|d|ve)\s/.test(rest)) return false
  const name = first
    .toLowerCase()
    .replace(/[\\^]/g, '')
    .replace(/\.(?:exe|com|bat|cmd|sh)$/, '')
    .replace(/[\d.!?-]+$/, '')
  if (!commands.has(name)) return false
  // As in "Home | Shop & more | Ann": it reads what it is given.
  if (idleWords.has(name) && /^(?:\s*[|&,.!]|\s+\(|\s*$)/.test(rest)) return false
  if (/^\p{Lu}/u.test(first) && !windowsCommands.has(name) && /^\s+\p{L}{2,}(?:[\s,.;:)!?]|$)/u.test(rest))
    return false
  return !(ordinaryWords.has(name) ? goesOnAsSentence(rest) : isSubject(rest))
}

const functionWords = new Set(
  'the a an to of and or is are was were be in on for with that this it you we they i he she as by from at not all your our their my his her its there what which when who how if more'.split(
    ' ',
  ),
)

/** Words alone, and behind the first one such as only sentences have there. */
function goesOnAsSentence(rest: string): boolean {
  // As in "copy, modify, merge": no command has this behind its name.
  if (/^,\s+\p{L}{2,},\s+\p{L}{2,}/u.test(rest)) return true
  const [, first = '', second = ''] =
    /^,?[ \t]+([\p{L}\p{M}'’-]+)(?:[,:]?\s+([\p{L}\p{M}'’-]+))?/u.exec(rest) ?? []
  if (first.startsWith('-') || second.startsWith('-')) return false
  return second !== '' && (functionWords.has(first.toLowerCase()) || functionWords.has(second.toLowerCase()))
}

/** Whether a sentence is about the word, as in "Perl is free": as arguments of a command, its words mean nothing. */
function isSubject(rest: string): boolean {
  return /^\s+(?:is|are|was|were|has|have|can|will|should|does)\s+\p{L}/u.test(rest)
}
