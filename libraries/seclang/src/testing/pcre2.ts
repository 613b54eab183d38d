import koffi, { type LibraryHandle } from 'koffi'

/**
 * Debian's libpcre2-8, which its mod_security2 uses: what a pattern means. Patterns and values are byte strings.
 */
export interface Pcre2 {
  /** @throws {Error} when PCRE2 refuses the pattern */
  compile(pattern: string): Pcre2Pattern
}

export interface Pcre2Pattern {
  /** The match and its groups, null when there is none, undefined when PCRE2 has reached its match limit. */
  exec(value: string): readonly (string | undefined)[] | null | undefined
  free(): void
}

/** PCRE2_DOTALL and PCRE2_DOLLAR_ENDONLY, as ModSecurity 2.9 compiles. */
const ruleOptions = 0x20 | 0x10

/** Some milliseconds; PCRE2's own default is ten million. */
const matchLimit = 300_000

const noMatch = -1
const matchLimitReached = -47

/** PCRE2_UNSET */
const unset = 0xffffffffffffffffn

/** Undefined where the library is not installed. */
export function loadPcre2(): Pcre2 | undefined {
  try {
    return bind(koffi.load('libpcre2-8.so.0'))
  } catch {
    return undefined
  }
}

function bind(library: LibraryHandle): Pcre2 {
  const compile = library.func(
    'void *pcre2_compile_8(void *, size_t, uint32_t, _Out_ int *, _Out_ size_t *, void *)',
  )
  const createData = library.func('void *pcre2_match_data_create_from_pattern_8(void *, void *)')
  const match = library.func('int pcre2_match_8(void *, void *, size_t, size_t, uint32_t, void *, void *)')
  const createContext = library.func('void *pcre2_match_context_create_8(void *)')
  const setMatchLimit = library.func('int pcre2_set_match_limit_8(void *, uint32_t)')
  const ovector = library.func('void *pcre2_get_ovector_pointer_8(void *)')
  const ovectorCount = library.func('uint32_t pcre2_get_ovector_count_8(void *)')
  const freeData = library.func('void pcre2_match_data_free_8(void *)')
  const freeCode = library.func('void pcre2_code_free_8(void *)')

  const context = createContext(null)
  setMatchLimit(context, matchLimit)
  return {
    compile(pattern) {
      const code: unknown[] = [0]
      const offset: unknown[] = [0]
      const compiled = compile(bytesOf(pattern), pattern.length, ruleOptions, code, offset, null)
      if (!compiled) throw new Error(`PCRE2 refuses the pattern with code ${code[0]} at offset ${offset[0]}`)
      const data = createData(compiled, null)
      const places = ovector(data)
      const count = ovectorCount(data)
      return {
        exec(value) {
          const matchCount = match(compiled, bytesOf(value), value.length, 0, 0, data, context)
          if (matchCount === noMatch) return null
          if (matchCount === matchLimitReached) return undefined
          if (matchCount < 0) throw new Error(`PCRE2 gives up with code ${matchCount}`)
          return captures(value, koffi.decode(places, 'uint64_t', count * 2), matchCount, count)
        },
        free() {
          freeData(data)
          freeCode(compiled)
        },
      }
    },
  }
}

/** With a NUL, because PCRE2 takes no null pointer, as which an empty buffer arrives. */
function bytesOf(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1')
}

/** @param matchCount one more than the highest group that took part */
function captures(
  value: string,
  places: ArrayLike<number | bigint>,
  matchCount: number,
  count: number,
): readonly (string | undefined)[] {
  return Array.from({ length: count }, (_, group) => {
    const start = BigInt(places[group * 2] ?? unset)
    if (group >= matchCount || start === unset) return undefined
    return value.slice(Number(start), Number(places[group * 2 + 1]))
  })
}
