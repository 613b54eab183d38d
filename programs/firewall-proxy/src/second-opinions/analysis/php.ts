import { whyHarmlessDocument } from './documents.ts'
import { isSentence, readableText } from './text.ts'

/** What PHP runs, reads from, or makes objects of. */
const signs = [
  /<\?|\?>|<%|\[\/?php\]/i,
  /\$\s*\{?_?[A-Za-z_{$]/,
  /(?:^|[\s;{}"':,])[OCSabids]:\+?\d+[:;]/,
  /\b(?:phar|zlib|glob|rar|ogg|expect|ssh2|data|php|zip|compress\.\w+)(?:\.\w+)?:/i,
  // A call through a string, an element or brackets.
  /['")}](?:\/\*[^*]*\*\/)?\(|\](?:\/\*[^*]*\*\/)?\((?!https?:\/\/)|['")\]}]\s+\(\s*['"$([]/,
  /['"([]\s*(?:system|exec|passthru|shell_exec|popen|proc_open|assert|eval|phpinfo|call_user_func|array_map|file|readfile|unlink)\s*['")\]]/i,
  /['"]\s*\.\s*['"(]|\\x[\da-f]|\\[0-7]{2}/i,
  // Settings and functions have names that no sentence has.
  /\w_\w|\w\.\w+\s*=/,
  /`[^`]*`|\/\*|~\s*['"%]/,
]

/** Functions that only code calls; behind others that rules list, a bracket may be one of a sentence. */
const call = /(?<![\w.>-])([a-z_\\][\w\\]*)(\s*)\(/gi

/** Words of sentences that are names of functions of PHP, too, and words before the brackets of JavaScript and CSS. */
const ordinaryNames = new Set(
  'if for while switch catch function return and or rgb rgba hsl url var calc translate rotate scale require'.split(
    ' ',
  ),
)

/**
 * Why PHP that is given a text as code, within a string or to make an object of it, does nothing with it.
 *
 * @param value a byte string
 * @returns undefined where it may do harm, or that is not certain
 */
export function whyHarmlessPhp(value: string): string | undefined {
  const text = readableText(value)
  if (text === undefined) return undefined
  const ofDocument = whyHarmlessDocument(
    text,
    (part) => whyHarmlessPhp(part) !== undefined || /^[\d .:-]*$/.test(part),
  )
  if (ofDocument !== undefined) return ofDocument
  if (!isSentence(text) || signs.some((sign) => sign.test(text))) return undefined
  for (const [, name = '', blank = ''] of text.matchAll(call)) {
    // In a sentence a blank stands before a bracket; an underscore is in no word of it.
    const isOfSentence = blank !== '' && /^\p{L}+$/u.test(name)
    if (!isOfSentence && !ordinaryNames.has(name.toLowerCase())) return undefined
    if (/^(?:eval|system|exec|passthru|assert|popen|include|require|phpinfo|unserialize)$/i.test(name))
      return undefined
  }
  return 'it has no code of PHP, no call of a function and no serialized object'
}
