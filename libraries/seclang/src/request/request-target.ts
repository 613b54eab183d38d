/** The parts of a request's uri. */
export interface RequestTarget {
  /** Path and query without scheme, host and fragment, still encoded. */
  readonly uri: string
  /** Decoded once, as ModSecurity on Apache and on nginx sees it; dot segments and doubled slashes stay. */
  readonly path: string
  /** Still encoded. Undefined when there is no question mark. */
  readonly query: string | undefined
  /** What follows the last slash or backslash of the path. */
  readonly baseName: string
}

/** Takes apart the uri of a request line, in origin form (`/a?b`), absolute form (`http://host/a?b`) or any other. */
export function parseRequestTarget(uri: string): RequestTarget {
  const withoutHost = uri.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/, '')
  const fragment = withoutHost.indexOf('#')
  const plain = fragment === -1 ? withoutHost : withoutHost.slice(0, fragment)
  const question = plain.indexOf('?')
  const path = decodeEscapes(question === -1 ? plain : plain.slice(0, question))
  return {
    uri: plain,
    path,
    query: question === -1 ? undefined : plain.slice(question + 1),
    baseName: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1),
  }
}

/** Replaces escapes that are valid; others stay. */
function decodeEscapes(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
