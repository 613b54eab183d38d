/*
 * A subject or issuer as Node gives it: one line for each part, "CN=www.example.com", the most specific last; parts
 * that stand together have " + " between them. Values are escaped as in RFC 2253, control characters as \0A. There
 * is a second form, X509Certificate.toLegacyObject, but that ends the process when a certificate's elliptic-curve key
 * is damaged.
 */

/** Undefined for a certificate whose subject is empty. */
type DistinguishedName = string | undefined

/** "C=US, O=Example, CN=www.example.com", still escaped. */
export function nameInOneLine(name: DistinguishedName): string {
  return (name ?? '').split('\n').join(', ')
}

/** The most specific common name, without escapes. */
export function commonNameOf(name: DistinguishedName): string | undefined {
  const parts = (name ?? '').split(/\n| \+ /)
  return parts
    .findLast((part) => part.startsWith('CN='))
    ?.slice('CN='.length)
    .replace(/\\(?:([0-9A-F]{2})|(.))/g, (_, code?: string, character = '') =>
      code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
    )
}
