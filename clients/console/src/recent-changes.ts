import { shellWord } from '@palisade/sdk'
import { curlLine } from './curl.ts'

/** Older ones are forgotten. */
const callsMax = 20

/** What stands in the place of a secret that was sent. */
const placeholder = 'SECRET'
const secretName =
  /(password|passphrase|passwd|pw|secret|token|(^|[-_a-z])key|credentials?|authorization|code|sealing|naming)$/i

/** Calls that only look, though they are no GET; and the token of each page, which a line for the shell gets itself. */
const isLookedOver =
  /[?&]preview=true|\/admin\/v1\/session\b|\/admin\/v1\/firewall\/administrators\/[^/]+\/token$/

/** A call that changed something. */
export interface RecentChange {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** The call as a line of curl, with a placeholder for each secret. */
  readonly line: string
}

/** The calls by which an operator has changed something in this window, newest first, for scripts that do the same. */
export class RecentChanges {
  #calls: readonly RecentChange[] = []
  #count = 0
  readonly #listeners = new Set<() => void>()

  /** For React: the calls now, the same array until there is another one. */
  readonly read = (): readonly RecentChange[] => this.#calls

  /** For React. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Keeps a call that was answered, if it has changed something. */
  readonly note = (request: Request, { ok }: Response): void => {
    const { pathname, search } = new URL(request.url)
    const path = pathname + search
    if (!ok || ['GET', 'HEAD'].includes(request.method) || isLookedOver.test(path)) return
    const at = Date.now()
    void optionsOf(request.clone()).then((options) => {
      const line = curlLine({ method: request.method, path, options })
      if (this.#calls[0]?.line === line) return
      this.#count += 1
      this.#calls = [{ id: this.#count, at, line }, ...this.#calls].slice(0, callsMax)
      for (const listener of this.#listeners) listener()
    })
  }
}

/** The headers and the body of a request as options of curl. */
async function optionsOf(request: Request): Promise<readonly string[]> {
  // The version that was read then is outdated when a script repeats the call.
  const match = request.headers.has('if-match') ? ["-H 'If-Match: *'"] : []
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('multipart/form-data')) {
    const form = await request.formData()
    return [...match, ...[...form].map(([name, value]) => `-F ${shellWord(partOf(name, value))}`)]
  }
  const body = await request.text()
  if (body === '') return match
  if (!type.startsWith('application/json')) return [...match, '--data-binary @FILE']
  return [...match, `-H ${shellWord(`Content-Type: ${type}`)}`, `-d ${shellWord(withoutSecrets(body))}`]
}

function partOf(name: string, value: FormDataEntryValue): string {
  if (value instanceof File) return `${name}=@${value.name}`
  return `${name}=${secretName.test(name) ? placeholder : value}`
}

/** A body of JSON with a placeholder for each text of a member that is called as secrets are. */
function withoutSecrets(body: string): string {
  return JSON.stringify(
    JSON.parse(body, (name, value: unknown) =>
      typeof value === 'string' && value !== '' && secretName.test(name) ? placeholder : value,
    ),
  )
}
