const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Whether a method changes nothing (RFC 9110, section 9.2.1). */
export function isSafeMethod(method: string | undefined): boolean {
  return safeMethods.has(method ?? '')
}
