import { type LoadedLibrary, loadLibrary } from './load-library.ts'

/** The detectors of libinjection, from Debian's libmodsecurity.so.3, which exports them. They keep no state. */
export interface Libinjection {
  /** Whether the library is there. It is looked for at the first question, and again after {@link lookAgain}. */
  readonly isAvailable: boolean
  /** Why the library is not there, in the loader's words; empty where it is. */
  readonly problem: string
  /**
   * Where the library is looked for when the system does not have it, for the whole process.
   *
   * @param folder with the library and all shared libraries that it needs and the system lacks; it may be missing
   */
  searchIn(folder: string): void
  /** Has the next question look for a library that was missing: it may have been installed meanwhile. */
  lookAgain(): void
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
  #functions: Functions | undefined
  /** Undefined before it was looked for. */
  #problem: string | undefined
  #folder: string | undefined
  #value = Buffer.alloc(0x4000)
  readonly #fingerprint = Buffer.alloc(fingerprintSizeBytes)

  get isAvailable(): boolean {
    if (this.#problem === undefined) this.#load()
    return this.#functions !== undefined
  }

  get problem(): string {
    if (this.#problem === undefined) this.#load()
    return this.#problem ?? ''
  }

  searchIn(folder: string): void {
    if (folder === this.#folder) return
    this.#folder = folder
    this.lookAgain()
  }

  lookAgain(): void {
    if (this.#functions === undefined) this.#problem = undefined
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
    if (!this.isAvailable || !this.#functions) {
      throw new Error(`libinjection is not available: ${this.#problem}`)
    }
    return this.#functions
  }

  /** A machine without the library is an ordinary case: isAvailable tells it, and the operators are marked inactive. */
  #load(): void {
    try {
      this.#functions = functionsOf(loadLibrary(libraryName, this.#folder))
      this.#problem = ''
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error)
    }
  }

  /** Copies the value to where the library reads it. One buffer serves all, as no call outlasts the next. */
  #write(value: string): number {
    if (value.length > this.#value.length) this.#value = Buffer.alloc(value.length * 2)
    return this.#value.write(value, 'latin1')
  }
}

function functionsOf(library: LoadedLibrary): Functions {
  return {
    sqli: library.func('int libinjection_sqli(const void *, size_t, void *)'),
    xss: library.func('int libinjection_xss(const void *, size_t)'),
  }
}

export const libinjection: Libinjection = new SharedLibrary()
