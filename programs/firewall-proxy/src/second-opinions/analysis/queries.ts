import { isUtf8 } from 'node:buffer'

/** Where the query of an address begins: no file has such a name that a shell would look for by the "?". */
const beginning = /(?<=^|[\w/.~%-])\?(?=[a-z_$][\w.%-]{0,60}(?:\[[\w.%-]{0,60}\]){0,8}=)/gi

/** Keys in brackets behind the name of a parameter: `filter[color][]=`. */
const keysOfName = /(?<=(?:^|[&?;])[a-z_$][\w.%-]{0,60})(?:\[[\w.:%-]{0,60}\]){1,8}(?==)/gi

/** Options of OData, which are written with a dollar sign. */
const optionsOfOdata =
  /(?<=^|[?&;(])\$(?=(?:select|filter|expand|orderby|top|skip|count|search|apply|compute|format|levels|skiptoken|inlinecount)=)/g

/**
 * Macros that sellers and servers of advertisements, and templates of pages, left as they were. No shell has variables of these names, and no
 * language of expressions has objects of them.
 */
const macros = new RegExp(
  String.raw`\$\{(?:${[
    String.raw`(?:GDPR|GPP|US_PRIVACY|ADDTL_CONSENT|AUCTION|CONSENT|CACHE_?BUSTER|CLICK_?(?:URL|ID)|TIMESTAMP|ADVERTISING)\w{0,40}`,
    String.raw`\s?(?!(?:AWS|BASH|DB|LD|LS|SECRET|SSH|XDG)_)[A-Z][A-Z\d]{1,20}(?:_[A-Z\d]{1,20}){1,4}\s?`,
    '(?:ad|campaign|device|user|page|click)_?(?:id|url)|keywords?|title|url|referr?er|domain|timestamp|width|height|price',
    '(?!(?:EDITOR|EUID|HIST\\w*|HOME|HOST\\w*|IFS|LANG|LOGNAME|MAIL|OLDPWD|OPT\\w*|PATH|PPID|PS\\d|PWD|RANDOM|SECONDS|SHELL\\w*|TERM|UID|USER\\w*)\\})[A-Z]{3,20}',
  ].join('|')})\}`,
  'g',
)

const escapes = /(?:%[0-9a-f]{2})+/gi

/**
 * A text whose queries of addresses have no marks that a shell would read as patterns or variables: the mark before the first parameter,
 * keys in brackets, and escaped letters. What is escaped has to be judged besides, once it is decoded.
 */
export function plainQueries(text: string): string {
  return text
    .replace(beginning, '&')
    .replace(macros, 'macro')
    .replace(optionsOfOdata, '')
    .replace(keysOfName, '')
    .replace(escapes, (run) => (isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')) ? 'x' : run))
}
