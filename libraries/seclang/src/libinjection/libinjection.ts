import type { InjectionDetector } from '../matching/injection-detector.ts'
import { type LoadedLibrary, loadLibrary } from './load-library.ts'

/** The detectors of libinjection, out of the shared library of ModSecurity 3, which exports them. They keep no state. */
export interface Libinjection extends InjectionDetector {
  /** Why the library is not there, in the words of the system's loader; empty where it is. {@link InjectionDetector.unavailable} has it too. */
  readonly problem: string
}

/** Where to look for the library. */
export interface LibinjectionOptions {
  /**
   * A folder to look in when the system does not have the library: with it, and all shared libraries that it needs and the system lacks.
   * It may be missing.
   */
  readonly folder?: string
}

const libraryName = 'libmodsecurity.so.3'

/** Eight bytes with the NUL. */
const fingerprintSizeBytes = 8

interface Functions {
  sqli(value: Buffer, sizeBytes: number, fingerprint: Buffer): number
  xss(value: Buffer, sizeBytes: number): number
}

/**
 * Loads libinjection, as Debian's package libmodsecurity3 has it, into this process. A machine without the library is an ordinary
 * case: the detector is `unavailable` then, and another one has to be made when the library has been installed.
 */
export function openLibinjection({ folder }: LibinjectionOptions = {}): Libinjection {
  try {
    return new LoadedDetector(functionsOf(loadLibrary(libraryName, folder)))
  } catch (error) {
    return new MissingDetector(error instanceof Error ? error.message : String(error))
  }
}

class LoadedDetector implements Libinjection {
  readonly problem = ''
  readonly #functions: Functions
  #value = Buffer.alloc(0x4000)
  readonly #fingerprint = Buffer.alloc(fingerprintSizeBytes)

  constructor(functions: Functions) {
    this.#functions = functions
  }

  detectSqli(value: string): string | undefined {
    const sizeBytes = this.#write(value)
    if (this.#functions.sqli(this.#value, sizeBytes, this.#fingerprint) !== 1) return undefined
    return this.#fingerprint.toString('latin1', 0, Math.max(0, this.#fingerprint.indexOf(0)))
  }

  detectXss(value: string): boolean {
    // Writing may take a larger buffer in the place of the one that is there.
    const sizeBytes = this.#write(value)
    return this.#functions.xss(this.#value, sizeBytes) === 1
  }

  /** Copies the value to where the library reads it. One buffer serves all, as no call outlasts the next. */
  #write(value: string): number {
    if (value.length > this.#value.length) this.#value = Buffer.alloc(value.length * 2)
    return this.#value.write(value, 'latin1')
  }
}

class MissingDetector implements Libinjection {
  readonly problem: string

  constructor(problem: string) {
    this.problem = problem
  }

  get unavailable(): string {
    return `libinjection of Debian's package libmodsecurity3 cannot be loaded (${this.problem})`
  }

  detectSqli(): never {
    throw new Error(this.unavailable)
  }

  detectXss(): never {
    throw new Error(this.unavailable)
  }
}

function functionsOf(library: LoadedLibrary): Functions {
  return {
    sqli: library.func('int libinjection_sqli(const void *, size_t, void *)'),
    xss: library.func('int libinjection_xss(const void *, size_t)'),
  }
}
