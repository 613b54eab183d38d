import { createHash, createHmac, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { whyUnreadable } from '@palisade/start-up'
import { HashList, HashListError } from './hash-list.ts'

/** How often it is looked whether the list is another one, in milliseconds. */
const lookMs = 2_000

/** How much of a digest is kept of what was tried, in bytes. */
const tagBytes = 12

/**
 * What tells stolen passwords, and log-ins that were tried before. Of a password itself nothing is kept: a digest of it is looked for in
 * the list, and one with a key stands for it in what is counted.
 */
export class CredentialKnowledge {
  readonly #file: string | undefined
  readonly #key: Buffer
  #list: HashList | undefined
  #state = ''
  #lookedAt = Number.NEGATIVE_INFINITY
  #problem: string | undefined

  /**
   * @param file with sorted digests of stolen passwords; undefined for none
   * @param secret the same in all processes that count together
   */
  constructor(file?: string, secret = randomBytes(32).toString('base64')) {
    this.#file = file
    this.#key = createHmac('sha256', secret).update('credential spraying').digest()
  }

  /** Whether a password was stolen from somebody somewhere, or together with this user name. Both are byte strings. */
  isStolen(userName: string, password: string): boolean {
    this.#look()
    if (this.#list === undefined) return false
    return this.#has(password) || (userName !== '' && this.#has(`${userName.toLowerCase()}:${password}`))
  }

  /** Stands for texts that were sent, and does not give them away. */
  tag(...texts: readonly string[]): string {
    const mac = createHmac('sha256', this.#key).update(JSON.stringify(texts)).digest()
    return mac.toString('base64url', 0, tagBytes)
  }

  /** Why no stolen password is known, or those of an older list; a sentence. */
  get problem(): string | undefined {
    if (this.#file === undefined) {
      return 'No password is known as stolen: the proxy has no list of them (stolenPasswordsFile).'
    }
    this.#look()
    return this.#problem
  }

  #has(text: string): boolean {
    const digest = createHash('sha1').update(text, 'latin1').digest('hex').toUpperCase()
    try {
      return this.#list?.has(digest) === true
    } catch (error) {
      this.#fail(whyUnreadable(error))
      return false
    }
  }

  #look(): void {
    const now = performance.now()
    if (this.#file === undefined || now - this.#lookedAt < lookMs) return
    this.#lookedAt = now
    try {
      const { ino, size, mtimeMs } = statSync(this.#file)
      const state = `${ino} ${size} ${mtimeMs}`
      if (state === this.#state) return
      this.#state = state
      const list = new HashList(this.#file)
      this.#list?.close()
      this.#list = list
      this.#problem = undefined
    } catch (error) {
      // The next look is to find it again, whatever it is then.
      if (!(error instanceof HashListError)) this.#state = ''
      this.#fail(error instanceof HashListError ? error.message : whyUnreadable(error))
    }
  }

  #fail(reason: string): void {
    const consequence = this.#list ? ' The one before goes on.' : ' No password is known as stolen.'
    this.#problem = `The list of stolen passwords ${this.#file} is not used: ${reason}.${consequence}`
  }
}
