/** How much of a body is looked at: longer words are no methods that a server knows. */
const lookedAtBytes = 80

/** What servers take for a blank between the words of a request line. */
const blank = String.raw`\t\v\f \xa0\x1c-\x1f\x85`

/** A token and a blank, as request lines begin (RFC 9112, section 3); lenient servers overlook line ends and blanks before it. */
const requestLine = new RegExp(
  String.raw`^[${blank}\r\n]*[!#$%&'*+\-.^_\x60|~0-9A-Za-z]{1,64}(?:[${blank}]|\r(?!\n))`,
)

/**
 * Whether a server that answers without reading a request's body, and then reads on, would take the body for the next request. Its answer to
 * that would be given to whoever gets the connection next, and nobody has judged it.
 *
 * @param beginning that of a body; what goes in chunks begins with the size of a chunk
 */
export function beginsLikeRequest(beginning: Uint8Array): boolean {
  return requestLine.test(Buffer.from(beginning.subarray(0, lookedAtBytes)).toString('latin1'))
}
