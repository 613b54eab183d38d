import type { RuleExclusion } from '@palisade/seclang'

/** A list of files that a server joins to one, as Tengine and its like do: `/js/??a.js,/b/c.js?v=1`. */
const joinedFiles = /^[^?]*\/\?\?[\w.~@/-]{1,200}(?:,[\w.~@/-]{1,200}){0,500}(?:\?[^?%\\]*)?$/

/** An address that ends in a question mark: that of a site itself, of a page, of what has a number, or with what advertising puts between semicolons. */
const addressBeforeQuery =
  /^https?:\/\/(?:[\w-]+\.)+[a-z]{2,24}(?::\d{1,5})?(?:\/?|\/[^\s?#\\]*(?:;[\w.:%@~-]*=[^\s?#\\]*|\/|\.(?:html?|json|js|css)|\/[\w@-]{0,40}\d{4}[\w@-]{0,40}|\/\d{1,20}))\?$/i

/** A picture as canvases and editors write it, with the beginning of such a file. */
const picture = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,(?:iVBORw0KGg|\/9j\/|R0lGOD|UklGR|Qk)/

/** Generic names, that interfaces and reports give to sessions of their own; those that servers give to theirs stay with the rule. */
const nameOfOwnSession = /^session[_-]id$/i

/** What editors of texts leave behind ends so, with an extension before it. Tokens that have a tilde for padding are longer. */
const extensionOfBackup = /\.[^.~/]{1,12}~(?:\/|$)/

/** What rules leave out because of how addresses are written, and names of parameters in these. */
export const harmlessAddresses: readonly RuleExclusion[] = [
  {
    rules: { first: 930_100, last: 930_100 },
    targets: ['REQUEST_URI_RAW', 'ARGS'],
    hasValue: (address) => joinedFiles.test(address) && !/\.\.|\/\.|\.\//.test(address),
  },
  {
    rules: { first: 931_100, last: 931_120 },
    targets: ['ARGS'],
    hasValue: (value) => addressBeforeQuery.test(value) || picture.test(value),
  },
  {
    rules: { first: 943_120, last: 943_120 },
    targets: ['ARGS_NAMES'],
    hasValue: (name) => nameOfOwnSession.test(name),
  },
  {
    rules: { first: 920_500, last: 920_500 },
    targets: ['REQUEST_FILENAME'],
    hasValue: (path) => !extensionOfBackup.test(path),
  },
]
