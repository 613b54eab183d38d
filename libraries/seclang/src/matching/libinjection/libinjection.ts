/** The detectors of libinjection, from Debian's libmodsecurity.so.3. */
export interface Libinjection {
  readonly isAvailable: boolean
  /** The fingerprint is empty when it is no SQL injection. Throws when the library is not available. */
  detectSqli(value: string): { readonly isSqli: boolean; readonly fingerprint: string }
  /** Throws when the library is not available. */
  detectXss(value: string): boolean
}

export const libinjection: Libinjection = {
  isAvailable: false,
  detectSqli: () => {
    throw new Error('libinjection is not available')
  },
  detectXss: () => {
    throw new Error('libinjection is not available')
  },
}
