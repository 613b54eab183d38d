/** Words behind which a string may stand in a script, or that go on behind one. */
const keyword =
  /(?:^|[^\w$])(?:in|instanceof|of|typeof|void|delete|new|return|throw|case|else|do|yield|await|default|extends)$/

/** Signs that join strings and call nothing. */
const joint = /^[ \t]*[/,.:;+*%&|^<>=?-][ \t]*$/

/** A path with its query, which behind a string is a division by names. Behind a query's mark no slash could begin an expression. */
const path =
  /^[ \t]*\.{0,2}\/?\w+(?:-\w+)*(?:[./]\w+(?:-\w+)*)*(?:\?[\w.%-]+=[\w.%,:~-]*(?:&(?:amp;)?[\w.%-]+=[\w.%,:~-]*){0,40}(?<=\w))?$/

/** Of a list of pictures, the first one and its width: a number behind a name. */
const sizedPath = /^[ \t]*\.{0,2}\/?(?:[\w.?=&;%-]+\/)*[\w.?=&;%-]*\w[ \t]+\d+(?:\.\d+)?[wx](?=,|$)/

/**
 * Whether a text calls nothing where a page writes it between quotation marks of any kind in a script: it has none of them, or what would
 * stand behind its first one is an error, for which the whole script is not run (ECMAScript, section 16.1.1).
 */
export function closesNoString(text: string): boolean {
  return ['"', "'", '`'].every((quote) => isNoScript(text.split(quote), quote))
}

/** @param pieces what is between the marks: strings and script in turn, beginning with a string */
function isNoScript(pieces: readonly string[], quote: string): boolean {
  for (let index = 1; index < pieces.length; index += 2) {
    const piece = pieces[index] ?? ''
    const blanks = /^[ \t]*/.exec(piece)?.[0].length ?? 0
    const first = piece.slice(blanks)
    // Two strings in a row; two templates would be a call.
    if (first === '') return quote !== '`'
    // A name behind a string.
    if (/^[\p{L}\p{N}_$#@]/u.test(first))
      return !/^(?:in|instanceof|of|as|from|with|assert)(?![\p{L}\p{N}_$])/u.test(first)
    // A string behind a name.
    if (path.test(piece) && quote !== '`') return !keyword.test(piece)
    const [sized] = sizedPath.exec(piece) ?? []
    if (sized !== undefined && !keyword.test(sized.replace(/[ \t]+\S+$/, ''))) return true
    if (!joint.test(piece)) return false
  }
  return true
}
