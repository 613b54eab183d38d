import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

/** Files that a configuration names, by the member that names them, such as "administration.openid". */
export type NamedFiles = Readonly<Record<string, readonly string[]>>

/** Sees by digests which members name files whose contents are others than when they were looked at last. Contents are not kept. */
export class FileContents {
  #digests: Readonly<Record<string, readonly string[]>>

  constructor(files: NamedFiles) {
    this.#digests = digestsOf(files)
  }

  /** The members whose files have changed, and what has them count as looked at. */
  look(files: NamedFiles): { readonly changed: readonly string[]; readonly remember: () => void } {
    const digests = digestsOf(files)
    const changed = Object.keys(digests).filter(
      (member) => !isDeepStrictEqual(digests[member], this.#digests[member]),
    )
    return {
      changed,
      remember: () => {
        this.#digests = digests
      },
    }
  }
}

function digestsOf(files: NamedFiles): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(files).map(([member, names]) => [member, names.map(digestOf)]))
}

/** Of a file that cannot be read it is the empty text: whoever applies the configuration says so. */
function digestOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return ''
  }
}
