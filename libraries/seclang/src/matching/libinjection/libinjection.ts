import koffi from 'koffi'

/** The detectors of libinjection, from Debian's libmodsecurity.so.3, which exports them. They keep no state. */
export interface Libinjection {
  /** Whether the library is there. It is looked for once, at the first question. */
  readonly isAvailable: boolean
  /**
   * @param value a byte string
   * @returns the fingerprint is empty when it is no SQL injection
   * @throws {Error} when the library is not available
   */
  detectSqli(value: string): { readonly isSqli: boolean; readonly fingerprint: string }
  /**
   * @param value a byte string
   * @throws {Error} when the library is not available
   */
  detectXss(value: string): boolean
}

const libraryName = 'libmodsecurity.so.3'

/** Eight bytes with the NUL. */
const fingerprintSizeBytes = 8

interface Functions {
  sqli(value: Buffer, sizeBytes: number, fingerprint: Buffer): number
  xss(value: Buffer, sizeBytes: number): number
}

class SharedLibrary implements Libinjection {
  #functions: Functions | 'missing' | undefined
  #value = Buffer.alloc(0x4000)
  readonly #fingerprint = Buffer.alloc(fingerprintSizeBytes)

  get isAvailable(): boolean {
    this.#functions ??= loadFunctions() ?? 'missing'
    return this.#functions !== 'missing'
  }

  detectSqli(value: string): { readonly isSqli: boolean; readonly fingerprint: string } {
    const { sqli } = this.#loaded()
    const sizeBytes = this.#write(value)
    const isSqli = sqli(this.#value, sizeBytes, this.#fingerprint) === 1
    const end = this.#fingerprint.indexOf(0)
    return { isSqli, fingerprint: isSqli ? this.#fingerprint.toString('latin1', 0, Math.max(0, end)) : '' }
  }

  detectXss(value: string): boolean {
    const { xss } = this.#loaded()
    // Writing may take a larger buffer in the place of the one that is there.
    const length = this.#write(value)
    return xss(this.#value, length) === 1
  }

  #loaded(): Functions {
    if (!this.isAvailable || !this.#functions || this.#functions === 'missing') {
      throw new Error(`libinjection is not available: ${libraryName} could not be loaded`)
    }
    return this.#functions
  }

  /** Copies the value to where the library reads it. One buffer serves all, as no call outlasts the next. */
  #write(value: string): number {
    if (value.length > this.#value.length) this.#value = Buffer.alloc(value.length * 2)
    return this.#value.write(value, 'latin1')
  }
}

function loadFunctions(): Functions | undefined {
  try {
    const library = koffi.load(libraryName)
    return {
      sqli: library.func('int libinjection_sqli(const void *, size_t, void *)'),
      xss: library.func('int libinjection_xss(const void *, size_t)'),
    }
  } catch {
    // A machine without the package is an ordinary case: isAvailable tells it, and the operators are marked inactive.
    return undefined
  }
}

export const libinjection: Libinjection = new SharedLibrary()
