import { isAddress } from './addresses.ts'
import { whyHarmlessDocument } from './documents.ts'
import { isNoPhpCode } from './php-syntax.ts'
import { isSentence, readableText } from './text.ts'

/** What PHP runs, reads from, or makes objects of. */
const certainSigns = [
  /<\?|\?>|<%|\[\/?php\]/i,
  /\$\s*\{?_?[A-Za-z_{$]/,
  /(?:^|[\s;{}"':,])[OCSabids]:\+?\d+[:;]/,
  /\b(?:phar|zlib|glob|rar|ogg|expect|ssh2|data|php|zip|compress\.\w+)(?:\.\w+)?:/i,
  // Settings are read line by line.
  /\w[_.]\w+\s*=/,
]

/** Besides, what only code has, and sentences with a mistake in them may have. */
const signs = [
  // A call through a string, an element or brackets.
  /['")}](?:\/\*[^*]*\*\/)?\(|\](?:\/\*[^*]*\*\/)?\((?!https?:\/\/)|['")\]}]\s+\(\s*['"$([]/,
  /['"([]\s*(?:system|exec|passthru|shell_exec|popen|proc_open|assert|eval|phpinfo|call_user_func|array_map|file|readfile|unlink)\s*['")\]]/i,
  /['"]\s*\.\s*['"(]|\\x[\da-f]|\\[0-7]{2}/i,
  // Settings and functions have names that no sentence has.
  /\w_\w|\w\.\w+\s*=/,
  /`[^`]*`|\/\*|~\s*['"%]/,
]

/** Calls that do harm, also by names in strings and brackets, and names by themselves that no text but code has: no mistake beside them excuses these. */
const harmfulCall =
  /(?:system|exec|passthru|popen|assert|eval|phpinfo|usort|fopen|fwrite|readfile|unlink|unserialize|gzinflate|mail|chmod|putenv|dl|include|require)(?:_once)?[\s'"`)\]}]*\(|\b(?:shell_exec|proc_open|call_user_func|create_function|array_(?:map|filter|walk)|file_(?:get|put)_contents|show_source|highlight_file|base64_decode|str_rot13|preg_replace|move_uploaded_file|ini_set|allow_url|auto_(?:ap|pre)pend_file|disable_functions|open_basedir)/i

/** Words in letters that names of PHP do not have, and marks that sentences have. */
const plainWords = /^(?=.*[^\p{ASCII}])[\p{L}\p{M}\p{N}\s.,:!–—«»…%-]*$/u

const statement = /\b(?:include|require|echo|print|exit|die|eval)(?:_once)?\b/i

/**
 * A link of Markdown. As code it would call an element of a list, with a mistake behind the bracket or an argument that is named like a
 * scheme and has no value, for a comment follows.
 */
const link = /\]\((?:https?:\/\/|\.{0,2}\/|#)[^\s()'"`]*\)/g

/** Whatever calls something, with a bracket or without. */
const anyCall = /[^\s]\s*\(|`|\b(?:include|require|eval|echo|print|exit|die|new|throw)(?:_once)?\b\s*['"]/i

/** Functions that only code calls; behind others that rules list, a bracket may be one of a sentence. */
const call = /(?<![\w>-]|\w\.)([a-z_\\][\w\\]*)(\s*)\(/gi

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
  if (isAddress(text) && !/[$(]|\?>/.test(text))
    return 'it is an address, of which PHP reads a label and a comment'
  if (plainWords.test(text) && !statement.test(text))
    return 'it is words, and PHP calls nothing without brackets'
  if (certainSigns.some((sign) => sign.test(text))) return undefined
  if (!harmfulCall.test(text) && isNoPhpCode(text)) return 'PHP would find a mistake in it, and run nothing'
  const withoutLinks = text.replace(link, '] ')
  if (withoutLinks !== text && !anyCall.test(withoutLinks))
    return 'it has links, and nothing that PHP would call'
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
