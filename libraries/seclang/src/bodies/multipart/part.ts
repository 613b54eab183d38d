import { type ContentDisposition, parseContentDisposition } from './content-disposition.ts'
import { MultipartError } from './multipart-error.ts'
import type { MultipartFlags } from './multipart-flags.ts'

/** One part of a multipart body while it comes in: header lines, an empty line, data. */
export class Part {
  /** Lines as they came, folded ones joined, without their ends. */
  readonly headerLines: string[] = []
  /** Once the empty line after the headers has come. */
  disposition: ContentDisposition | undefined
  /** Without the line end that belongs to the boundary. */
  content = ''
  readonly #flags: MultipartFlags
  readonly #takesExtendedName: boolean
  readonly #headerNames = new Set<string>()

  /** @param takesExtendedName whether `filename*` may say the same as `filename` */
  constructor(flags: MultipartFlags, takesExtendedName: boolean) {
    this.#flags = flags
    this.#takesExtendedName = takesExtendedName
  }

  /** @param line with its end @throws {MultipartError} */
  addHeaderLine(line: string): void {
    if (line.includes('\0')) throw new MultipartError('Nul byte in part headers.')
    if (line.endsWith('\r\n')) this.#flags.crlfLine = true
    else this.#flags.lfLine = true
    const text = line.replace(/\r?\n$/, '')
    if (text === '') this.disposition = this.#endHeaders()
    else if (/^\s/.test(text)) this.#foldInto(text)
    else this.#newHeader(text)
  }

  #endHeaders(): ContentDisposition {
    const line = this.headerLines.find((header) => /^content-disposition:/i.test(header))
    if (line === undefined) throw new MultipartError('Part missing Content-Disposition header.')
    return parseContentDisposition(line.replace(/^[^:]*:[ \t]*/, ''), this.#flags, this.#takesExtendedName)
  }

  #foldInto(text: string): void {
    this.#flags.headerFolding = true
    if (!/^[ \t]/.test(text)) this.#flags.invalidHeaderFolding = true
    const last = this.headerLines.pop()
    if (last === undefined) throw new MultipartError('Invalid part header (folding error).')
    this.headerLines.push(`${last} ${text.replace(/^[ \t]+/, '')}`)
  }

  #newHeader(text: string): void {
    const name = /^[^:]*(?=:)/.exec(text)?.[0]
    if (name === undefined) throw new MultipartError('Invalid part header (colon missing).')
    if (name === '') throw new MultipartError('Invalid part header (header name missing).')
    const lowerName = name.toLowerCase()
    if (this.#headerNames.has(lowerName)) throw new MultipartError('Duplicate part header.')
    this.#headerNames.add(lowerName)
    this.headerLines.push(text)
  }
}
